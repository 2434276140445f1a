import { readsBesideBusySpaces } from '../contracts/sql-change-feed.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('The feed of changes on Postgres', (server) => {
  readsBesideBusySpaces(() => server().openCatalog());
});
