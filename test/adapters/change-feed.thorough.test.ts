import { behavesLikeAChangeFeed } from '../contracts/change-feed.contract.ts';
import { readsBesideBusySpaces, sqlChangeFeed } from '../contracts/sql-change-feed.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeAChangeFeed('SqlChangeFeed', async () => {
    const { knexes, tearDown } = await server().openCatalog(3);
    const [knex, ...others] = knexes;
    return { ...sqlChangeFeed(knex, others), tearDown };
  });
});

describeOnPostgres('The feed of changes on Postgres', (server) => {
  readsBesideBusySpaces(() => server().openCatalog());
});
