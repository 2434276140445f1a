import { PostgresPreparedReads } from '../../src/adapters/sql/postgres/postgres-prepared-reads.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { sqlNames } from '../contracts/sql-names.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('Names on Postgres', (server) => {
  keepsNames('SqlNames', async () => {
    const { knex, other, tearDown } = await server().openCatalog(2);
    return { ...sqlNames(knex, other, new PostgresPreparedReads(knex)), tearDown };
  });
});
