import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { requireBound } from '../contracts/bound-values.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('A statement of the tests that binds more than 10,000 values', (server) => {
  it('fails on Postgres', async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase(database.connection);
    await requireBound(knex);
    await knex.destroy();
    await database.drop();
  });
});
