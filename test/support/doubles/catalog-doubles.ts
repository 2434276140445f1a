import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { CatalogImage, NewImage } from '../../../src/domain/image/image.ts';
import type { StagedFile } from '../../../src/domain/ports/bytes/staging-area.ts';
import { COMMON_SPACE } from '../../../src/domain/space/space.ts';
import { jpegBytes, streamOf } from '../fixtures/bytes.ts';
import { newImage } from '../fixtures/new-image.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { InMemoryBlobStore } from './in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from './in-memory-catalog-identity.ts';
import { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from './in-memory-image-repository.ts';
import { InMemoryLinkKeys } from './in-memory-link-keys.ts';
import { InMemoryRenditionCache } from './in-memory-rendition-cache.ts';
import { InMemoryStagingArea } from './in-memory-staging-area.ts';
import { InMemorySweepSlices } from './in-memory-sweep-slices.ts';
import { RecordingEventLog } from './recording-event-log.ts';
import { SequentialUuids } from './sequential-uuids.ts';

/** Test doubles of the ports of one catalog; a test takes those that it needs. */
export class CatalogDoubles {
  readonly identity = new InMemoryCatalogIdentity();
  readonly keys: InMemoryIdempotencyKeys;
  readonly linkKeys = new InMemoryLinkKeys();
  readonly images: InMemoryImageRepository;
  readonly blobs: InMemoryBlobStore;
  readonly staging = new InMemoryStagingArea();
  readonly renditions = new InMemoryRenditionCache();
  readonly slices: InMemorySweepSlices;
  readonly log = new RecordingEventLog();
  readonly uuids = new SequentialUuids();

  /** @param givenAtOnceBytes longer blobs are streams, which must be read or closed */
  constructor(
    readonly clock = new ManualClock(),
    givenAtOnceBytes = 0,
  ) {
    this.keys = new InMemoryIdempotencyKeys(clock);
    this.images = new InMemoryImageRepository(clock, this.keys);
    this.blobs = new InMemoryBlobStore(givenAtOnceBytes, clock);
    this.slices = new InMemorySweepSlices(clock);
  }

  readonly stage = (bytes = jpegBytes()): Promise<StagedFile> =>
    this.staging.receive(streamOf(bytes), { maxBytes: 1_000_000, checkHead: () => {} });

  /** Stores a blob, whether there is a record of it or not. */
  readonly put = async (key: BlobKey, bytes = jpegBytes()): Promise<void> => {
    await this.blobs.put(key, await this.stage(bytes));
  };

  /** Stores an image with its blob; `stated` may make the record differ from the blob. */
  readonly addImage = async (
    bytes = jpegBytes(),
    stated: Partial<NewImage> = {},
    space = COMMON_SPACE,
  ): Promise<CatalogImage> => {
    const image = await this.images.in(space).add(newImage({ size: bytes.byteLength, ...stated }));
    await this.put(image.uuid, bytes);
    return image;
  };
}
