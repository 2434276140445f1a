import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { SqlSweepSlices } from '../../src/adapters/sql/records/sql-sweep-slices.ts';
import { behavesLikeSweepSlices } from '../contracts/sweep-slices.contract.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeSweepSlices('SqlSweepSlices', async () => {
    const database = await server().newCatalog();
    const open = (): Knex => openPostgresDatabase({ ...database.connection, poolMax: 3 });
    const [one, other] = [open(), open()];
    return {
      processes: [new SqlSweepSlices(one), new SqlSweepSlices(other)],
      tearDown: async () => {
        await Promise.all([one.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
