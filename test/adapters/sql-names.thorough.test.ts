import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { PostgresPreparedReads } from '../../src/adapters/sql/postgres/postgres-prepared-reads.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { sqlNames } from '../contracts/sql-names.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('Names on Postgres', (server) => {
  keepsNames('SqlNames', async () => {
    const database = await server().newCatalog();
    const [knex, other] = [1, 2].map(() => openPostgresDatabase({ ...database.connection, poolMax: 4 })) as [
      Knex,
      Knex,
    ];
    return {
      ...sqlNames(knex, other, new PostgresPreparedReads(knex)),
      tearDown: async () => {
        await Promise.all([knex.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
