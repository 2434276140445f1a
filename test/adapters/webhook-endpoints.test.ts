import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { BEFORE_ALL_DATABASES } from '../contracts/sql-catalog.contract.ts';
import { behavesLikeWebhookEndpoints } from '../contracts/webhook-endpoints.contract.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

behavesLikeWebhookEndpoints('InMemoryWebhookEndpoints', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(BEFORE_ALL_DATABASES, new InMemoryIdempotencyKeys(clock));
  const endpoints = new InMemoryWebhookEndpoints(images.changes, clock);
  return {
    processes: [endpoints, endpoints],
    changes: images.changes,
    images: images.in(COMMON_SPACE),
    tearDown: async () => {},
  };
});
