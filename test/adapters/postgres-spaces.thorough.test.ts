import { expect } from 'chai';
import { spaceIdOf } from '../../src/adapters/sql/rows/space-row.ts';
import { type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import {
  describeOnPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';

const ALICE = 'alice' as Space;

describeOnPostgres('A new space on Postgres', (server) => {
  it('takes an image while an upload under a key makes the space', async () => {
    const database = await server().openCatalog();
    const { knex } = database;
    const claiming = await knex.transaction();
    await spaceIdOf(ALICE, claiming);
    const adding = sqlPorts(knex).images.in(ALICE).add(newImage());
    await eventually(
      () => waitersIn(server(), database),
      (count) => count > 0,
    );
    await claiming.commit();
    const outcome = await Promise.allSettled([adding]);
    const usage = await sqlPorts(knex).spaces.find(ALICE);
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
