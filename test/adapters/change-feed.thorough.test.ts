import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { behavesLikeAChangeFeed } from '../contracts/change-feed.contract.ts';
import { readsBesideBusySpaces, sqlChangeFeed } from '../contracts/sql-change-feed.ts';
import { describeOnPostgres, type PostgresServer } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeAChangeFeed('SqlChangeFeed', async () => {
    const database = await server().newCatalog();
    const { connection } = database;
    const [knex, ...others] = [1, 2, 3].map(() => openPostgresDatabase({ ...connection, poolMax: 3 }));
    if (knex === undefined) throw new TypeError('Three were opened');
    return {
      ...sqlChangeFeed(knex, others),
      tearDown: async () => {
        for (const pool of [knex, ...others]) await pool.destroy();
        await database.drop();
      },
    };
  });
});

async function newPostgresCatalog(
  server: PostgresServer,
): Promise<{ knex: Knex; tearDown: () => Promise<void> }> {
  const database = await server.newCatalog();
  const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
  return {
    knex,
    tearDown: async () => {
      await knex.destroy();
      await database.drop();
    },
  };
}

describeOnPostgres('The feed of changes on Postgres', (server) => {
  readsBesideBusySpaces(async () => await newPostgresCatalog(server()));
});
