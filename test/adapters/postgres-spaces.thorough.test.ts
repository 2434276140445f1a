import { expect } from 'chai';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import { spaceIdOf } from '../../src/adapters/sql/rows/space-row.ts';
import { NO_LIMITS, type Space } from '../../src/domain/space/space.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlSpaces } from '../support/fixtures/sql-spaces.ts';
import {
  describeOnPostgres,
  type PostgresServer,
  type TestDatabase,
  useCatalog,
} from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const ALICE = 'alice' as Space;

const TABLES =
  'images, image_metadata, words, image_words, tags, image_tags, timeline_days, image_appearances, idempotency_keys, swept_blobs, spaces';

describeOnPostgres('On Postgres', (server) => {
  const catalog = useCatalog(server, 3);

  keepsSpacesApart('SqlSpaces', async () => {
    const [knex, ...others] = catalog().knexes;
    await knex.raw(`truncate ${TABLES}; insert into spaces (id, name) values (0, '')`);
    return { ...sqlSpaces(knex, ...others), tearDown: async () => {} };
  });
});

describeOnPostgres('A new space on Postgres', (server) => {
  it('takes an image while an upload under a key makes the space', async () => {
    const database = await server().openCatalog();
    const { knex } = database;
    const claiming = await knex.transaction();
    await spaceIdOf(ALICE, claiming);
    const adding = new ObjectionImageRepository(databaseOn(knex), new ManualClock())
      .in(ALICE)
      .add(newImage());
    await eventually(
      () => waitersIn(server(), database),
      (count) => count > 0,
    );
    await claiming.commit();
    const outcome = await Promise.allSettled([adding]);
    const usage = await new SqlSpaces(databaseOn(knex), NO_LIMITS).find(ALICE);
    await database.tearDown();

    expect(outcome).to.have.nested.property('[0].status', 'fulfilled');
    expect(usage.images).to.equal(1);
  });
});

/** Statements that wait for a lock. */
async function waitersIn(server: PostgresServer, { connection }: TestDatabase): Promise<number> {
  const [row] = await server.run(
    `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = '${connection.database}'`,
  );
  return Number(row?.count);
}
