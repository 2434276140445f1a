import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import { SqlWebhookEndpoints } from '../../src/adapters/sql/changes/sql-webhook-endpoints.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import {
  behavesLikeWebhookEndpoints,
  type WebhookEndpointsUnderTest,
} from '../contracts/webhook-endpoints.contract.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

/** Before any database was started. */
const PAST = new ManualClock(new Date('2001-01-01T00:00:00Z'));

function onSql(one: Knex, other: Knex): Omit<WebhookEndpointsUnderTest, 'tearDown'> {
  return {
    processes: [new SqlWebhookEndpoints(one), new SqlWebhookEndpoints(other)],
    changes: new SqlChangeFeed(one),
    images: new ObjectionImageRepository(one, PAST).in(COMMON_SPACE),
  };
}

behavesLikeWebhookEndpoints('InMemoryWebhookEndpoints', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(PAST, new InMemoryIdempotencyKeys(clock));
  const endpoints = new InMemoryWebhookEndpoints(images.changes, clock);
  return {
    processes: [endpoints, endpoints],
    changes: images.changes,
    images: images.in(COMMON_SPACE),
    tearDown: async () => {},
  };
});

behavesLikeWebhookEndpoints('SqlWebhookEndpoints on SQLite', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const other = openSqliteDatabase(path);
  return {
    ...onSql(knex, other),
    tearDown: async () => {
      await other.destroy();
      await tearDown();
    },
  };
});

describeOnPostgres('On Postgres', (server) => {
  behavesLikeWebhookEndpoints('SqlWebhookEndpoints', async () => {
    const database = await server().newCatalog();
    const open = (): Knex => openPostgresDatabase({ ...database.connection, poolMax: 3 });
    const [one, other] = [open(), open()];
    return {
      ...onSql(one, other),
      tearDown: async () => {
        await Promise.all([one.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
