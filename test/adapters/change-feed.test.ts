import { behavesLikeAChangeFeed } from '../contracts/change-feed.contract.ts';
import { readsBesideBusySpaces } from '../contracts/sql-change-feed.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

behavesLikeAChangeFeed('InMemoryChanges', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(clock, new InMemoryIdempotencyKeys(clock));
  const metadata = new InMemoryMetadata(images);
  return { changes: images.changes, images: [images], metadata, clock, tearDown: async () => {} };
});

describe('The feed of changes on SQLite', () => {
  readsBesideBusySpaces(newSqliteCatalog);
});
