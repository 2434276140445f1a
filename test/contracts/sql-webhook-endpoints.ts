import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import { SqlWebhookEndpoints } from '../../src/adapters/sql/changes/sql-webhook-endpoints.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import type { WebhookEndpointsUnderTest } from './webhook-endpoints.contract.ts';

/** Before any database was started. */
export const BEFORE_ALL_DATABASES = new ManualClock(new Date('2001-01-01T00:00:00Z'));

/** Two processes of one SQL database. */
export function sqlWebhookEndpoints(one: Knex, other: Knex): Omit<WebhookEndpointsUnderTest, 'tearDown'> {
  return {
    processes: [new SqlWebhookEndpoints(databaseOn(one)), new SqlWebhookEndpoints(databaseOn(other))],
    changes: new SqlChangeFeed(databaseOn(one)),
    images: new ObjectionImageRepository(databaseOn(one), BEFORE_ALL_DATABASES).in(COMMON_SPACE),
  };
}
