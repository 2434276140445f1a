import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { spaceIdOf } from '../../src/adapters/sql/records/space-row.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import { NO_LIMITS, type Space } from '../../src/domain/space/space.ts';
import { fillsSpaces } from '../contracts/fill-spaces.contract.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { OldCatalog } from '../support/fixtures/old-catalog.ts';
import { sqlSpaces } from '../support/fixtures/sql-spaces.ts';
import { halfFill } from '../support/servers/half-fill.ts';
import {
  describeOnPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const ALICE = 'alice' as Space;

const TABLES =
  'images, image_metadata, words, image_words, tags, image_tags, timeline_days, image_appearances, idempotency_keys, swept_blobs, spaces';

describeOnPostgres('On Postgres', (server) => {
  let database: TestDatabase | undefined;
  let pools: readonly Knex[] = [];

  before(async () => {
    const { connection } = (database = await server().newCatalog());
    pools = [1, 2, 3].map(() => openPostgresDatabase({ ...connection, poolMax: 4 }));
  });

  after(async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await database?.drop();
  });

  keepsSpacesApart('SqlSpaces', async () => {
    const [knex, ...others] = pools as [Knex, ...Knex[]];
    await knex.raw(`truncate ${TABLES}; insert into spaces (id, name) values (0, '')`);
    return { ...sqlSpaces(knex, ...others), tearDown: async () => {} };
  });
});

describeOnPostgres('A new space on Postgres', (server) => {
  it('takes an image while an upload under a key makes the space', async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
    const claiming = await knex.transaction();
    await spaceIdOf(ALICE, claiming);
    const adding = new ObjectionImageRepository(knex, new ManualClock()).in(ALICE).add(newImage());
    await eventually(
      () => waitersIn(server(), database),
      (count) => count > 0,
    );
    await claiming.commit();
    const outcome = await Promise.allSettled([adding]);
    const usage = await new SqlSpaces(knex, NO_LIMITS).find(ALICE);
    await knex.destroy();
    await database.drop();

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

describeOnPostgres('Tables with spaces, on Postgres', (server) => {
  fillsSpaces(async () => {
    const [old, current] = [await server().newDatabase(), await server().newCatalog()];
    const pools = [old, old, current].map(({ connection }) =>
      openPostgresDatabase({ ...connection, poolMax: 2 }),
    );
    const [knex, other, fresh] = pools as [Knex, Knex, Knex];
    return {
      knex,
      other,
      fresh,
      migrateHalf: () => halfFill(old.url),
      close: async () => {
        await Promise.all(pools.map((pool) => pool.destroy()));
        await Promise.all([old.drop(), current.drop()]);
      },
    };
  });

  describe('of a catalog that is in use', () => {
    let database: TestDatabase;
    let knex: Knex;
    let other: Knex;

    beforeEach(async () => {
      database = await server().newDatabase();
      const pools = [1, 2].map(() => openPostgresDatabase({ ...database.connection, poolMax: 2 }));
      [knex, other] = pools as [Knex, Knex];
      const old = await OldCatalog.make(knex);
      await old.add(3);
    });

    afterEach(async () => {
      await Promise.all([knex.destroy(), other.destroy()]);
      await database.drop();
    });

    /** Until the migration waits for a lock, and until it has given up to wait. */
    async function untilRefused(whileWaiting: () => Promise<unknown>): Promise<void> {
      const waiters = (): Promise<number> => waitersIn(server(), database);
      await eventually(waiters, (count) => count > 0);
      await whileWaiting();
      await eventually(waiters, (count) => count === 0);
    }

    it('are filled with what is changed during a dump, before they take the place of the old ones', async () => {
      const dump = await other.transaction();
      await dump.raw('lock table images in access share mode');
      const migrating = migrate(knex, migrationSource);
      await untilRefused(() => other.raw('insert into changed_images select 1000 + generate_series(1, 300)'));
      const left = await eventually(
        async () => await other('changed_images').pluck<number[]>('id'),
        (ids) => ids.length === 0,
      );
      await dump.commit();

      expect(await migrating).to.include('0010-use-spaces');
      expect(left).to.deep.equal([]);
    });

    it('are filled although a write of the earlier version takes long', async () => {
      const all = await migrationSource.getMigrations([]);
      const expansion = all.slice(
        0,
        all.findIndex(({ name }) => name === '0010-use-spaces'),
      );
      await knex.migrate.latest({
        migrationSource: { ...migrationSource, getMigrations: async () => expansion },
      });
      const write = await other.transaction();
      await POSTGRES_DIALECT.lockChanges(write);
      const migrating = migrate(knex, migrationSource);
      await untilRefused(async () => undefined);
      await write.commit();

      expect(await migrating).to.include('0010-use-spaces');
    });
  });
});
