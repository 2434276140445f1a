import { SqlSweepSlices } from '../../src/adapters/sql/records/sql-sweep-slices.ts';
import { behavesLikeSweepSlices } from '../contracts/sweep-slices.contract.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeSweepSlices('SqlSweepSlices', async () => {
    const { knex, other, tearDown } = await server().openCatalog(2);
    return {
      processes: [new SqlSweepSlices(databaseOn(knex)), new SqlSweepSlices(databaseOn(other))],
      tearDown,
    };
  });
});
