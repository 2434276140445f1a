import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeACatalogIdentity } from '../contracts/catalog-identity.contract.ts';
import { behavesLikeIdempotencyKeys } from '../contracts/idempotency-keys.contract.ts';
import { behavesLikeAnImageRepository } from '../contracts/image-repository.contract.ts';
import { behavesLikeLinkKeys } from '../contracts/link-keys.contract.ts';
import { findsImages } from '../contracts/search.contract.ts';
import { findsSimilarImages } from '../contracts/similar-images.contract.ts';
import { behavesLikeAStagingArea } from '../contracts/staging-area.contract.ts';
import { inMemoryFinding } from '../support/doubles/finding-ports.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { streamOf } from '../support/fixtures/bytes.ts';

async function nothingToTearDown(): Promise<void> {}

behavesLikeAnImageRepository('InMemoryImageRepository', async () => {
  const clock = new ManualClock();
  return { images: new InMemoryImageRepository(clock), clock, tearDown: nothingToTearDown };
});

findsImages('The in-memory catalog', async () => ({ ...inMemoryFinding(), tearDown: nothingToTearDown }));

findsSimilarImages('InMemorySimilarImages', async () => {
  const images = new InMemoryImageRepository(new ManualClock());
  return { images, similarImages: new InMemorySimilarImages(images), tearDown: nothingToTearDown };
});

behavesLikeACatalogIdentity('InMemoryCatalogIdentity', async () => ({
  identities: [new InMemoryCatalogIdentity()],
  tearDown: nothingToTearDown,
}));

behavesLikeLinkKeys('InMemoryLinkKeys', async () => ({
  processes: [new InMemoryLinkKeys()],
  tearDown: nothingToTearDown,
}));

behavesLikeIdempotencyKeys('InMemoryIdempotencyKeys', async () => {
  const clock = new ManualClock();
  const keys = new InMemoryIdempotencyKeys(clock);
  const images = new InMemoryImageRepository(clock, keys);
  return { keys, images, clock, tearDown: nothingToTearDown };
});

behavesLikeABlobStore('InMemoryBlobStore', async () => {
  const blobs = new InMemoryBlobStore();
  const staging = new InMemoryStagingArea();
  return {
    blobs,
    stage: (bytes) => staging.receive(streamOf(bytes), { maxBytes: bytes.byteLength, checkHead: () => {} }),
    countOpen: async () => blobs.openCount,
    tearDown: nothingToTearDown,
  };
});

behavesLikeAStagingArea('InMemoryStagingArea', async () => {
  const staging = new InMemoryStagingArea();
  return { staging, countFiles: async () => staging.fileCount, tearDown: nothingToTearDown };
});
