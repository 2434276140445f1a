import { expect } from 'chai';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { StoreEntry } from '../../src/domain/ports/bytes/blob-store.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeACatalogIdentity } from '../contracts/catalog-identity.contract.ts';
import { behavesLikeIdempotencyKeys } from '../contracts/idempotency-keys.contract.ts';
import { behavesLikeAnImageRepository } from '../contracts/image-repository.contract.ts';
import { behavesLikeLinkKeys } from '../contracts/link-keys.contract.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { findsImages } from '../contracts/search.contract.ts';
import { findsSimilarImages } from '../contracts/similar-images.contract.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { behavesLikeAStagingArea } from '../contracts/staging-area.contract.ts';
import type { Call, Calls } from '../support/doubles/calls.ts';
import { inMemoryFinding } from '../support/doubles/finding-ports.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { Gate, settled } from '../support/time/gate.ts';
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

keepsSpacesApart('InMemorySpaces', async () => {
  const clock = new ManualClock();
  const keys = new InMemoryIdempotencyKeys(clock);
  const images = new InMemoryImageRepository(clock, keys);
  return { spaces: images.spaces, processes: [images], keys, tearDown: nothingToTearDown };
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

describe('In-memory adapters whose calls are interrupted', () => {
  /** Calls that go on when the gate opens, or never. */
  class HeldCalls implements Calls {
    readonly gate = new Gate();
    isLost = false;

    begin(): Call {
      return {
        process: 'mine',
        reach: async () => {
          await this.gate.opened;
          if (this.isLost) throw new StorageUnavailable();
        },
      };
    }

    isGone(): boolean {
      return false;
    }

    isRunning(): boolean {
      return true;
    }
  }

  const clock = new ManualClock();
  let calls: HeldCalls;

  beforeEach(() => {
    calls = new HeldCalls();
  });

  async function staged(): Promise<StagedFile> {
    const limits = { maxBytes: 100, checkHead: () => {} };
    return await new InMemoryStagingArea().receive(streamOf(patternedBytes(10)), limits);
  }

  for (const isLost of [false, true]) {
    it(`InMemoryImageRepository says of an add under way that it may be recorded, ${isLost ? 'and then not' : 'and it is'}`, async () => {
      const images = new InMemoryImageRepository(clock, undefined, calls);
      const image = newImage();
      const adding = images
        .in(COMMON_SPACE)
        .add(image)
        .catch(() => undefined);

      expect(await images.mayBeRecorded(image.uuid)).to.equal(true);
      expect(await images.count()).to.equal(0);
      calls.isLost = isLost;
      calls.gate.open();
      await adding;

      expect(await images.mayBeRecorded(image.uuid)).to.equal(!isLost);
      expect(await images.count()).to.equal(isLost ? 0 : 1);
    });
  }

  it('InMemoryBlobStore lists an unfinished blob, does not show it to readers, and removes it', async () => {
    const blobs = new InMemoryBlobStore(0, clock, calls);
    const { uuid } = newImage();
    const putting = blobs.put(uuid, await staged()).catch((error: unknown) => error);
    await settled();

    expect((await listed(blobs)).map((entry) => entry.kind)).to.deep.equal(['blob']);
    expect(await blobs.find(uuid)).to.equal(undefined);
    await blobs.remove(uuid);
    expect(await listed(blobs)).to.deep.equal([]);
    calls.gate.open();
    expect(await putting).to.be.instanceOf(StorageUnavailable);
  });

  it('InMemoryBlobStore may bring back in a power cut what was removed a moment ago, and nothing older', async () => {
    const blobs = new InMemoryBlobStore(0, clock);
    const [old, recent] = [newImage().uuid, newImage().uuid];
    await blobs.put(old, await staged());
    await blobs.put(recent, await staged());
    await blobs.remove(old);
    clock.advance(60_000);
    await blobs.remove(recent);

    blobs.loseUnsynced(() => true);

    expect(blobs.keys).to.deep.equal([recent]);
  });

  async function listed(blobs: InMemoryBlobStore): Promise<readonly StoreEntry[]> {
    const entries: StoreEntry[] = [];
    for await (const entry of blobs.list()) entries.push(entry);
    return entries;
  }
});
