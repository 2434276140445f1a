import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { sqlWebhookEndpoints } from '../contracts/sql-webhook-endpoints.ts';
import { behavesLikeWebhookEndpoints } from '../contracts/webhook-endpoints.contract.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeWebhookEndpoints('SqlWebhookEndpoints', async () => {
    const database = await server().newCatalog();
    const open = (): Knex => openPostgresDatabase({ ...database.connection, poolMax: 3 });
    const [one, other] = [open(), open()];
    return {
      ...sqlWebhookEndpoints(one, other),
      tearDown: async () => {
        await Promise.all([one.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
