import { requireBound } from '../contracts/bound-values.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('A statement of the tests that binds more than 10,000 values', (server) => {
  it('fails on Postgres', async () => {
    const { knex, tearDown } = await server().openCatalog();
    await requireBound(knex);
    await tearDown();
  });
});
