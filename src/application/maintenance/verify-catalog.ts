import { DomainError, ImageBeyondLimits, Overloaded, StorageUnavailable } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import type { Name } from '../../domain/name/name.ts';
import type { BlobListing, BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { ImageInspector } from '../../domain/ports/pictures/image-inspector.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { Hasher } from '../../domain/ports/process/hasher.ts';
import type { AllImages, BlobReferences } from '../../domain/ports/records/image-repository.ts';
import type { NameCheck } from '../../domain/ports/records/names.ts';
import type { Recount, SpaceRecords } from '../../domain/ports/records/space-records.ts';
import type { TrashTransfer } from '../../domain/ports/records/trash.ts';
import type { Amount, Space } from '../../domain/space/space.ts';
import { mapConcurrently } from '../concurrency/map-concurrently.ts';
import { blobKeysIn } from './blob-keys-in.ts';
import { BlobUnreadable } from './blob-unreadable.ts';
import type { CheckedRecord } from './checked-record.ts';
import { inspectBlob } from './inspect-blob.ts';
import { readBlob } from './read-blob.ts';
import { recordedPages } from './recorded-pages.ts';
import { withoutImage } from './without-image.ts';

export interface Finding {
  readonly problem: 'missing' | 'damaged' | 'orphaned' | 'miscounted' | 'dangling';
  /** The image whose blob is missing or damaged, or that a dangling name points to. */
  readonly imageId?: number;
  /** `undefined` for a miscounted space and a dangling name. */
  readonly blobKey?: string;
  /** The space that is miscounted, or that has a dangling name. */
  readonly space?: Space;
  readonly name?: Name;
  readonly detail: string;
}

export interface VerifiedStorage {
  readonly images: AllImages & BlobReferences;
  readonly trash: Pick<TrashTransfer, 'findAll'>;
  readonly spaces: Pick<SpaceRecords, 'recount' | 'repair'>;
  readonly names: NameCheck;
  readonly blobs: BlobStore & BlobListing;
}

export interface VerifyOptions {
  /** The last record that an earlier run checked. */
  readonly after?: number | undefined;
  readonly isChosen: () => boolean;
  /** Throws its reason. */
  readonly stopped?: AbortSignal | undefined;
}

const BATCH_SIZE = 500;

/** Network stores have a round trip per blob. The decoders bound the decodes. */
const CHECKED_AT_A_TIME = 8;

/** Works in bounded memory while the service runs. Only `repairCounters` changes anything. */
export class VerifyCatalog {
  constructor(
    private readonly storage: VerifiedStorage,
    private readonly inspector: ImageInspector,
    private readonly hasher: Hasher,
    private readonly clock: Clock,
  ) {}

  /** Checks images and trash in the order of the ids: the blob exists, has the recorded size and SHA-256, and decodes. */
  async *records({
    after,
    isChosen,
    stopped,
  }: VerifyOptions): AsyncGenerator<CheckedRecord<Finding>, void, undefined> {
    for await (const batch of recordedPages(this.storage, BATCH_SIZE, after)) {
      for (let start = 0; start < batch.length; start += CHECKED_AT_A_TIME) {
        stopped?.throwIfAborted();
        const some = batch.slice(start, start + CHECKED_AT_A_TIME);
        yield* await mapConcurrently(some, CHECKED_AT_A_TIME, async (image) => ({
          imageId: image.id,
          finding: isChosen() ? await this.check(image) : undefined,
        }));
      }
    }
  }

  /**
   * Finds blobs without a record that are older than the grace: no running upload can be about to record them.
   *
   * @param prefix hex digits with which their keys begin
   */
  async *orphans(
    graceMs: number,
    stopped?: AbortSignal,
    prefix?: string,
  ): AsyncGenerator<Finding, void, undefined> {
    const latest = new Date(this.clock.now().getTime() - graceMs);
    const { images, blobs } = this.storage;
    for await (const keys of withoutImage(images, blobKeysIn(blobs, { latest, prefix }), stopped)) {
      for (const blobKey of keys) {
        // A delete may have removed the record and the blob after the blob was listed.
        if ((await blobs.find(blobKey)) === undefined) continue;
        yield { problem: 'orphaned', blobKey, detail: 'no record knows this blob' };
      }
    }
  }

  /** Spaces whose counters differ from their images. */
  async miscounted(): Promise<readonly Finding[]> {
    return (await this.storage.spaces.recount()).map(miscount);
  }

  /** Sets the counters of these spaces right. Resolves to what was wrong. */
  async repairCounters(): Promise<readonly Finding[]> {
    const { spaces } = this.storage;
    const names = new Set((await spaces.recount()).map(({ space }) => space));
    const repaired: Finding[] = [];
    for (const space of names) repaired.push(...(await spaces.repair(space)).map(miscount));
    return repaired;
  }

  /** Names that point to no image of their space. */
  async dangling(): Promise<readonly Finding[]> {
    const names = await this.storage.names.findDangling();
    return names.map(({ isElsewhere, ...pointer }) => ({
      problem: 'dangling',
      ...pointer,
      detail: isElsewhere ? 'the image is in another space' : 'the image is not there',
    }));
  }

  private async check(image: Image): Promise<Finding | undefined> {
    const finding = await this.compare(image);
    if (finding === undefined) return undefined;
    // A client may have deleted or erased the image during the check.
    const isRecorded = (await this.storage.images.findUuidsAmong([image.uuid])).size > 0;
    return isRecorded ? finding : undefined;
  }

  private async compare(image: Image): Promise<Finding | undefined> {
    try {
      return await readBlob(this.storage.blobs, image.uuid, async (blob) => {
        if (blob === undefined) {
          return { ...about(image), problem: 'missing', detail: 'the blob is not there' };
        }
        const detail = await this.damageOf(image, blob);
        return detail === undefined ? undefined : { ...about(image), problem: 'damaged', detail };
      });
    } catch (error) {
      // An unavailable store says nothing about its blobs.
      if (error instanceof StorageUnavailable) throw error;
      if (!(error instanceof DomainError || error instanceof BlobUnreadable)) throw error;
      return { ...about(image), problem: 'damaged', detail: error.message };
    }
  }

  private async damageOf(image: Image, blob: OpenedBlob): Promise<string | undefined> {
    try {
      if (blob.size !== image.size) return `the blob has ${blob.size} bytes, the record says ${image.size}`;
      const sha256 = await this.hasher.sha256(blob.read());
      if (sha256 !== image.sha256) {
        return `the blob has the SHA-256 ${sha256}, the record says ${image.sha256}`;
      }
    } finally {
      await blob.close();
    }
    await this.inspect(image, blob);
    return undefined;
  }

  /** Reads the blob a second time. */
  private async inspect(image: Image, blob: OpenedBlob): Promise<void> {
    try {
      await inspectBlob(this.storage.blobs, this.inspector, image, blob);
    } catch (error) {
      // The digest has proven the blob intact. A decode beyond today's limits is no damage.
      if (!(error instanceof ImageBeyondLimits || error instanceof Overloaded)) throw error;
    }
  }
}

function miscount({ space, of, counted, recorded }: Recount): Finding {
  const whole = of === 'trash' ? 'trash of the space' : 'space';
  const detail = `the ${whole} has ${amountOf(counted)}, its counters say ${amountOf(recorded)}`;
  return { problem: 'miscounted', space, detail };
}

function amountOf({ images, bytes }: Amount): string {
  return `${images} ${images === 1 ? 'image' : 'images'} with ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

function about({ id, uuid }: Image): Pick<Finding, 'imageId' | 'blobKey'> {
  return { imageId: id, blobKey: uuid };
}
