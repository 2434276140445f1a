import { DigestMismatch, FileRequired, StorageUnavailable, UnsupportedMediaType } from '../domain/errors.ts';
import type { Image, NewImage } from '../domain/image/image.ts';
import { mediaTypeOf } from '../domain/image/media-type.ts';
import type { BlobStore } from '../domain/ports/blob-store.ts';
import type { Cancellation } from '../domain/ports/cancellation.ts';
import type { IdempotencyClaim } from '../domain/ports/idempotency-keys.ts';
import type { ImageInspector } from '../domain/ports/image-inspector.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';
import type { StagedFile } from '../domain/ports/staging-area.ts';
import type { UuidGenerator } from '../domain/ports/uuid-generator.ts';

export interface Upload {
  readonly originalName: string;
  readonly staged: StagedFile;
  /** The SHA-256 that the client says it sent, lower-case hex. */
  readonly expectedSha256?: string | undefined;
  /** Is aborted when the client leaves: cancels the upload if its inspection has not begun. */
  readonly leaving: Cancellation;
}

/**
 * Makes a staged file an image of the catalog. Bytes come before the record: a crash in between leaves an orphan blob,
 * which is litter; the other way round it would leave a record without bytes, which is a lie.
 */
export class UploadImage {
  constructor(
    private readonly images: ImageRepository,
    private readonly blobs: BlobStore,
    private readonly inspector: ImageInspector,
    private readonly uuids: UuidGenerator,
  ) {}

  /**
   * The staged file is used up, whatever the outcome. When this resolves, the image survives a power cut.
   *
   * @param claim of the upload's idempotency key, completed together with the record
   * @throws {FileRequired | DigestMismatch | UnsupportedMediaType | InvalidImage | Overloaded | StorageUnavailable |
   *   IdempotencyKeyInUse} and the reason of `upload.leaving` if that cancels it
   */
  async execute(upload: Upload, claim?: IdempotencyClaim): Promise<Image> {
    return await this.record(await this.store(upload), claim);
  }

  private async store(upload: Upload): Promise<NewImage> {
    try {
      const image = await this.inspect(upload);
      await this.blobs.put(image.uuid, upload.staged);
      return image;
    } catch (error) {
      await upload.staged.discard();
      throw error;
    }
  }

  private async inspect({ originalName, staged, expectedSha256, leaving }: Upload): Promise<NewImage> {
    if (staged.size === 0) throw new FileRequired('The file is empty');
    if (expectedSha256 !== undefined && expectedSha256 !== staged.sha256) throw new DigestMismatch();
    const mediaType = mediaTypeOf(staged.head);
    if (mediaType === undefined) throw new UnsupportedMediaType();
    const facts = await this.inspector.inspect(staged, mediaType, leaving);
    return {
      uuid: this.uuids.next(),
      originalName,
      mediaType,
      size: staged.size,
      sha256: staged.sha256,
      ...facts,
    };
  }

  private async record(image: NewImage, claim: IdempotencyClaim | undefined): Promise<Image> {
    const recorded = await this.add(image, claim);
    // An upload that stood still between the blob and the record for longer than the sweeper's grace has lost its blob.
    if (await this.isStored(image.uuid)) return recorded;
    await this.images.removeById(recorded.id);
    throw new StorageUnavailable({ cause: new Error('The blob was swept before it was recorded') });
  }

  /** In doubt yes: it was stored a moment ago, and a store that cannot be asked has hardly lost it. */
  private async isStored(uuid: string): Promise<boolean> {
    try {
      return (await this.blobs.find(uuid)) !== undefined;
    } catch {
      return true;
    }
  }

  private async add(image: NewImage, claim: IdempotencyClaim | undefined): Promise<Image> {
    try {
      return await this.images.add(image, claim);
    } catch (error) {
      await this.removeUnrecordedBlob(image.uuid);
      throw error;
    }
  }

  /**
   * A failed insert may have been committed, or even be committed later (the connection was lost before the answer came),
   * so the blob goes only where the database says that there is no such record and will be none. In doubt it stays: the
   * sweeper looks again later.
   */
  private async removeUnrecordedBlob(uuid: string): Promise<void> {
    try {
      if (!(await this.images.mayBeRecorded(uuid))) await this.blobs.remove(uuid);
    } catch {
      // The first error is the one to answer.
    }
  }
}
