import { copiesTables } from '../contracts/sql-copied-tables.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describeOnPostgres('Between SQLite and Postgres', (server) => {
  for (const way of ['from SQLite to Postgres', 'from Postgres to SQLite']) {
    copiesTables(way, async () => {
      const file = await newSqliteCatalog();
      const { knex, tearDown } = await server().openCatalog();
      return {
        knexes: way === 'from SQLite to Postgres' ? [file.knex, knex] : [knex, file.knex],
        tearDown: async () => {
          await tearDown();
          await file.tearDown();
        },
      };
    });
  }
});
