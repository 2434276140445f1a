import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { CatalogImage, NewImage } from '../../domain/image/image.ts';
import { type MetadataPatch, type NewMetadata, NO_METADATA } from '../../domain/image/image-metadata.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import { patchMetadata } from '../../domain/image/patch-metadata.ts';
import type { PictureFault } from '../../domain/image/picture-faults.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { StagedFile } from '../../domain/ports/bytes/staging-area.ts';
import type { HeldPixels } from '../../domain/ports/pictures/held-pixels.ts';
import type {
  ImageFacts,
  ImageInspector,
  InspectionRequester,
} from '../../domain/ports/pictures/image-inspector.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import type { IdempotencyClaim } from '../../domain/ports/records/idempotency-keys.ts';
import type { AllImages, ImageRepository, NewName } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';

export interface Upload {
  readonly space: Space;
  readonly originalName: string;
  /** Found from the first bytes. */
  readonly mediaType: MediaType;
  /** Discarded by the caller. */
  readonly staged: StagedFile;
  /** As `checkPatch` returns it. */
  readonly metadata?: MetadataPatch | undefined;
  readonly requester: InspectionRequester;
  /** Who uploads it, for the record and the feed of changes. */
  readonly by?: string | undefined;
  /** The name that is to point to the image. */
  readonly name?: NewName | undefined;
}

export interface StoredUpload {
  readonly image: CatalogImage;
  /** Released by the caller. */
  readonly pixels?: HeldPixels | undefined;
  /** See `Inspection`. */
  readonly flaw?: PictureFault | undefined;
}

/** Those of all spaces tell whether a failed record may still come. */
export type UploadedImages = InSpaces<Pick<ImageRepository, 'add'>> & Pick<AllImages, 'mayBeRecorded'>;

/** What the transaction of the record writes as well. */
interface RecordedTogether {
  readonly metadata: NewMetadata;
  readonly claim: IdempotencyClaim | undefined;
  readonly by: string | undefined;
  readonly name: NewName | undefined;
}

/** Stores the blob before the record: a crash in between leaves an orphaned blob, not a record without a blob. */
export class UploadImage {
  constructor(
    private readonly images: UploadedImages,
    private readonly blobs: BlobStore,
    private readonly inspector: ImageInspector,
    private readonly uuids: UuidGenerator,
  ) {}

  /**
   * When this resolves, the image survives a power cut.
   *
   * @param claim completed together with the record
   * @throws {InvalidImage | NameChanged | PublishingRefused | QuotaExceeded | Overloaded | StorageUnavailable | IdempotencyKeyInUse} and the reason of `upload.requester.signal`
   */
  async execute(upload: Upload, claim?: IdempotencyClaim): Promise<StoredUpload> {
    const { staged, mediaType, requester, by, name } = upload;
    const { facts, embedded, pixels, flaw } = await this.inspector.inspect(staged, mediaType, requester);
    const { capture, keywords, texts } = embedded;
    const ofFile = patchMetadata({ ...NO_METADATA, capture, tags: keywords }, texts ?? {});
    // A field that the upload sets, to null as well, is not taken from the file.
    const metadata = patchMetadata(ofFile, upload.metadata ?? {});
    try {
      return { image: await this.store(upload, facts, { metadata, claim, by, name }), pixels, flaw };
    } catch (error) {
      pixels?.release();
      throw error;
    }
  }

  private async store(
    { space, originalName, mediaType, staged }: Upload,
    facts: ImageFacts,
    together: RecordedTogether,
  ): Promise<CatalogImage> {
    const { size, sha256 } = staged;
    const image = { uuid: this.uuids.next(), originalName, mediaType, size, sha256, ...facts };
    await this.blobs.put(image.uuid, staged);
    return await this.record(this.images.in(space), image, together);
  }

  private async record(
    images: Pick<ImageRepository, 'add'>,
    image: NewImage,
    { claim, metadata, by, name }: RecordedTogether,
  ): Promise<CatalogImage> {
    try {
      return await images.add(image, claim, metadata, by, name);
    } catch (error) {
      await this.removeUnrecordedBlob(image.uuid);
      throw error;
    }
  }

  /** Removes the blob only if there will be no such record: an insert whose connection was lost may be committed later. */
  private async removeUnrecordedBlob(uuid: BlobKey): Promise<void> {
    try {
      if (!(await this.images.mayBeRecorded(uuid))) await this.blobs.remove(uuid);
    } catch {
      // The caller throws the first error.
    }
  }
}
