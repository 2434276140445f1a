import type { SpaceRecords } from '../../src/domain/ports/records/space-records.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeACatalogIdentity } from '../contracts/catalog-identity.contract.ts';
import { behavesLikeAChangeFeed } from '../contracts/change-feed.contract.ts';
import { findsCopyCandidates } from '../contracts/copy-candidates.contract.ts';
import { behavesLikeIdempotencyKeys } from '../contracts/idempotency-keys.contract.ts';
import { behavesLikeAnImageRepository } from '../contracts/image-repository.contract.ts';
import { behavesLikeLinkKeys } from '../contracts/link-keys.contract.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { findsImages } from '../contracts/search.contract.ts';
import { findsSimilarImages } from '../contracts/similar-images.contract.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { BEFORE_ALL_DATABASES } from '../contracts/sql-catalog.contract.ts';
import { behavesLikeAStagingArea } from '../contracts/staging-area.contract.ts';
import { behavesLikeSweepSlices } from '../contracts/sweep-slices.contract.ts';
import { behavesLikeATrash } from '../contracts/trash.contract.ts';
import { behavesLikeWebhookEndpoints } from '../contracts/webhook-endpoints.contract.ts';
import type { Call, Calls } from '../support/doubles/calls.ts';
import { inMemoryFinding, inMemoryTrash } from '../support/doubles/finding-ports.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryCopyCandidates } from '../support/doubles/in-memory-copy-candidates.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { InMemorySweepSlices } from '../support/doubles/in-memory-sweep-slices.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { streamOf } from '../support/fixtures/bytes.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

async function nothingToTearDown(): Promise<void> {}

/** `mine`, and another one that a test ends. */
class TwoProcesses implements Calls {
  #caller = 'mine';
  #isEnded = false;

  begin(): Call {
    return { process: this.#caller, reach: async () => {} };
  }

  isGone(process: string): boolean {
    return this.#isEnded && process === 'another';
  }

  isRunning(process: string): boolean {
    return !this.isGone(process);
  }

  end(): void {
    this.#isEnded = true;
  }

  ofAnother<Port extends object>(port: Port): Port {
    return intercepted(port, (_, proceed) => {
      this.#caller = 'another';
      try {
        return proceed();
      } finally {
        this.#caller = 'mine';
      }
    });
  }
}

behavesLikeAnImageRepository('InMemoryImageRepository', async () => {
  const clock = new ManualClock();
  return { images: new InMemoryImageRepository(clock), clock, tearDown: nothingToTearDown };
});

findsImages('The in-memory catalog', async () => ({ ...inMemoryFinding(), tearDown: nothingToTearDown }));

findsSimilarImages('InMemorySimilarImages', async () => {
  const images = new InMemoryImageRepository(new ManualClock());
  return { images, similarImages: new InMemorySimilarImages(images), tearDown: nothingToTearDown };
});

findsCopyCandidates('InMemoryCopyCandidates', async () => {
  const images = new InMemoryImageRepository(new ManualClock());
  return { images, candidates: new InMemoryCopyCandidates(images), tearDown: nothingToTearDown };
});

behavesLikeACatalogIdentity('InMemoryCatalogIdentity', async () => ({
  identities: [new InMemoryCatalogIdentity()],
  tearDown: nothingToTearDown,
}));

const TWO_MINUTES_MS = 120_000;

behavesLikeLinkKeys('InMemoryLinkKeys', async () => ({
  processes: [new InMemoryLinkKeys()],
  tearDown: nothingToTearDown,
}));

behavesLikeIdempotencyKeys('InMemoryIdempotencyKeys', async () => {
  const clock = new ManualClock();
  const calls = new TwoProcesses();
  const keys = new InMemoryIdempotencyKeys(clock, calls);
  const images = new InMemoryImageRepository(clock, keys);
  const expire = async (): Promise<void> => clock.advance(TWO_MINUTES_MS + 1);
  const another = { keys: calls.ofAnother(keys), end: () => calls.end(), expire };
  return { keys, another, images, clock, tearDown: nothingToTearDown };
});

keepsNames('InMemoryNames', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(clock, new InMemoryIdempotencyKeys(clock));
  const { names, changes, spaces } = images;
  return {
    names,
    changes,
    spaces,
    processes: [images],
    clock,
    mispoint: async (name, imageId) => names.mispoint(name, imageId),
    plant: async (imageId, count) => names.plant(COMMON_SPACE, imageId, count),
    tearDown: nothingToTearDown,
  };
});

behavesLikeATrash('InMemoryTrash', async () => ({ ...inMemoryTrash(), tearDown: nothingToTearDown }));

behavesLikeAChangeFeed('InMemoryChanges', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(clock, new InMemoryIdempotencyKeys(clock));
  const metadata = new InMemoryMetadata(images);
  return { changes: images.changes, images: [images], metadata, clock, tearDown: nothingToTearDown };
});

behavesLikeWebhookEndpoints('InMemoryWebhookEndpoints', async () => {
  const images = new InMemoryImageRepository(BEFORE_ALL_DATABASES);
  const endpoints = new InMemoryWebhookEndpoints(images.changes, new ManualClock());
  return {
    processes: [endpoints, endpoints],
    changes: images.changes,
    images: images.in(COMMON_SPACE),
    tearDown: nothingToTearDown,
  };
});

behavesLikeSweepSlices('InMemorySweepSlices', async () => {
  // Its time goes on with every look.
  const clock = new ManualClock();
  const now = (): Date => {
    clock.advance(1);
    return clock.now();
  };
  const slices = new InMemorySweepSlices({ now });
  return { processes: [slices, slices], tearDown: nothingToTearDown };
});

behavesLikeARenditionCache('InMemoryRenditionCache', async () => ({
  cache: new InMemoryRenditionCache(),
  tearDown: nothingToTearDown,
}));

keepsSpacesApart('InMemorySpaces', async () => {
  const clock = new ManualClock();
  const keys = new InMemoryIdempotencyKeys(clock);
  const images = new InMemoryImageRepository(clock, keys);
  const boundedTo = (candidates: number): SpaceRecords =>
    Object.assign(images.spaces, { maxCandidates: candidates });
  return { spaces: images.spaces, processes: [images], keys, boundedTo, tearDown: nothingToTearDown };
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
