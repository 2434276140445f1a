import { boundsChanges } from '../contracts/change-quota.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('The limit of changes on Postgres', (server) => {
  boundsChanges(() => server().openCatalog(2));
});
