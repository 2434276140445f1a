import { sqlWebhookEndpoints } from '../contracts/sql-webhook-endpoints.ts';
import { behavesLikeWebhookEndpoints } from '../contracts/webhook-endpoints.contract.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeWebhookEndpoints('SqlWebhookEndpoints', async () => {
    const { knex, other, tearDown } = await server().openCatalog(2);
    return { ...sqlWebhookEndpoints(knex, other), tearDown };
  });
});
