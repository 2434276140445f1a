import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { refusesLaterSchemas } from '../contracts/later-schema.contract.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('A process on a Postgres database that a later version migrates', (server) => {
  refusesLaterSchemas(async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase(database.connection);
    const other = openPostgresDatabase(database.connection);
    return {
      knex,
      other,
      tearDown: async () => {
        await Promise.all([knex.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
