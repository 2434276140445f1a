import { createHash } from 'node:crypto';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { InvalidImage } from '../../src/domain/errors.ts';
import { NO_CAPTURE } from '../../src/domain/image/image-metadata.ts';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import { type Derivative, derivativeName } from '../../src/domain/image/rendition.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import type {
  ImageFacts,
  ImageInspector,
  InspectedFile,
  Inspection,
} from '../../src/domain/ports/pictures/image-inspector.ts';
import type { RenditionMaker } from '../../src/domain/ports/pictures/rendition-maker.ts';
import type { Clock } from '../../src/domain/ports/process/clock.ts';
import type { Calls } from '../support/doubles/calls.ts';
import { CORRUPT_MARKER } from '../support/doubles/fake-image-inspector.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import type { InMemoryChanges } from '../support/doubles/in-memory-changes.ts';
import { InMemoryCopyCandidates } from '../support/doubles/in-memory-copy-candidates.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryFolder, InMemoryJournal } from '../support/doubles/in-memory-import.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import type { InMemoryNames } from '../support/doubles/in-memory-names.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemorySearch } from '../support/doubles/in-memory-search.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import type { InMemorySpaces } from '../support/doubles/in-memory-spaces.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { InMemorySweepSlices } from '../support/doubles/in-memory-sweep-slices.ts';
import { InMemoryTables } from '../support/doubles/in-memory-tables.ts';
import type { InMemoryTrash } from '../support/doubles/in-memory-trash.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { collect } from '../support/fixtures/bytes.ts';

export const UTC = new Calendar('UTC');

/** All keys are in the first. 256 would be as many calls that can fail in the same way. */
const SLICES = ['00', '01'];

/** What processes share: a database, a blob store, and folders. It outlives them. */
export class Storage {
  readonly keys: InMemoryIdempotencyKeys;
  readonly images: InMemoryImageRepository;
  readonly names: InMemoryNames;
  readonly spaces: InMemorySpaces;
  readonly trash: InMemoryTrash;
  readonly changes: InMemoryChanges;
  readonly webhookEndpoints: InMemoryWebhookEndpoints;
  readonly metadata: InMemoryMetadata;
  readonly search: InMemorySearch;
  readonly similarImages: InMemorySimilarImages;
  readonly copyCandidates: InMemoryCopyCandidates;
  readonly linkKeys = new InMemoryLinkKeys();
  readonly tables: InMemoryTables;
  readonly identity: InMemoryCatalogIdentity;
  readonly blobs: InMemoryBlobStore;
  readonly slices: InMemorySweepSlices;
  readonly staging: InMemoryStagingArea;
  readonly renditions: InMemoryRenditionCache;
  readonly folder = new InMemoryFolder();
  readonly journal = new InMemoryJournal();

  constructor(
    readonly clock: Clock,
    calls: Calls,
    id: string,
  ) {
    this.keys = new InMemoryIdempotencyKeys(clock, calls);
    this.images = new InMemoryImageRepository(clock, this.keys, calls);
    this.names = this.images.names;
    this.spaces = this.images.spaces;
    this.trash = this.images.trash;
    this.changes = this.images.changes;
    this.webhookEndpoints = new InMemoryWebhookEndpoints(this.changes, clock);
    this.tables = new InMemoryTables(this);
    this.metadata = new InMemoryMetadata(this.images);
    this.search = new InMemorySearch(this.images, UTC);
    this.similarImages = new InMemorySimilarImages(this.images);
    this.copyCandidates = new InMemoryCopyCandidates(this.images);
    this.identity = new InMemoryCatalogIdentity(() => id);
    // Streams even the smallest blob, so that one is detected that is not closed.
    this.blobs = new InMemoryBlobStore(0, clock, calls);
    this.slices = new InMemorySweepSlices(clock, SLICES);
    this.staging = new InMemoryStagingArea(clock, calls);
    this.renditions = new InMemoryRenditionCache(clock);
  }

  /** The records of this moment. */
  async copyRecords(): Promise<InMemoryImageRepository> {
    const copy = new InMemoryImageRepository(this.clock);
    const { images } = this;
    await copy.restore(
      images.all().map((image) => ({
        ...image,
        metadata: images.metadataOf(image.id),
        hashes: images.hashesOf(image.id),
      })),
    );
    await copy.trash.restoreTrashed(await this.trash.findAll(0, Number.MAX_SAFE_INTEGER));
    return copy;
  }

  /** As a power cut does with what is not durable. */
  loseUnsynced(isLost: () => boolean): void {
    this.blobs.loseUnsynced(isLost);
    this.renditions.loseUnsynced(isLost);
    for (const path of this.journal.entries.keys()) if (isLost()) this.journal.entries.delete(path);
  }
}

/** They differ with the bytes. */
export function factsOf(bytes: Uint8Array): ImageFacts {
  const digest = createHash('sha256').update(bytes).digest();
  const band = (index: number): number => digest.readUInt16BE(2 * index);
  return {
    width: 640,
    height: 480,
    frames: 1,
    thumbhash: digest.toString('base64', 0, 21),
    hashes: {
      dHash: [band(0), band(1), band(2), band(3)],
      pHash: [band(4), band(5), band(6), band(7)],
      meanColour: [bytes.length, 2, 3],
    },
  };
}

export const INSPECTOR: ImageInspector = {
  async inspect(file: InspectedFile, mediaType: MediaType): Promise<Inspection> {
    const bytes = Buffer.from(await collect(file.read()));
    if (bytes.includes(CORRUPT_MARKER)) throw new InvalidImage(mediaType);
    const takenAt = `2026-01-${10 + (bytes.length % 10)}T08:00:00.000`;
    const capture = { ...NO_CAPTURE, make: 'Camera', takenAt };
    return { facts: factsOf(bytes), embedded: { capture, keywords: [] } };
  },
};

export function renditionBytes(original: Uint8Array, rendition: Derivative): Uint8Array {
  const digest = createHash('sha256').update(original).digest('hex');
  return new TextEncoder().encode(`${digest} as ${derivativeName(rendition)}`);
}

export const MAKER: RenditionMaker = {
  version: 'v1',
  versionOf: () => 'v1',
  async make(source, rendition, _requester, keep): Promise<void> {
    const blob = await source.open();
    try {
      await keep(renditionBytes(await collect(blob.read()), rendition));
    } finally {
      await blob.close();
    }
  },
};

/** Without random numbers. */
export class CountedSecrets extends NodeAddressSeal {
  #made = 0;

  override makeSecret(): Uint8Array {
    this.#made += 1;
    return Uint8Array.of(this.#made);
  }
}
