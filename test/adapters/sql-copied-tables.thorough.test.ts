import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { copiesTables } from '../contracts/sql-copied-tables.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describeOnPostgres('Between SQLite and Postgres', (server) => {
  for (const way of ['from SQLite to Postgres', 'from Postgres to SQLite']) {
    copiesTables(way, async () => {
      const file = await newSqliteCatalog();
      const database = await server().newCatalog();
      const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
      return {
        knexes: way === 'from SQLite to Postgres' ? [file.knex, knex] : [knex, file.knex],
        tearDown: async () => {
          await knex.destroy();
          await database.drop();
          await file.tearDown();
        },
      };
    });
  }
});
