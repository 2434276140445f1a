import { IdempotencyKeyInUse, QuotaExceeded } from '../../domain/errors.ts';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { NewMetadata } from '../../domain/image/image-metadata.ts';
import type { ImageFacts } from '../../domain/ports/pictures/image-inspector.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { HeldKey } from './claim-key.ts';
import type { ReceivedFile } from './incoming-file.ts';
import type { UploadRequest } from './upload-request.ts';

interface StoredUpload {
  readonly file: ReceivedFile;
  readonly uuid: BlobKey;
  readonly facts: ImageFacts;
  readonly metadata: NewMetadata;
  /** Completed together with the record. */
  readonly key: HeldKey | undefined;
}

/** Commits the record, with its metadata, key and name, in one transaction. */
export class RecordUpload {
  constructor(private readonly images: InSpaces<Pick<ImageRepository, 'add'>>) {}

  /** @throws {NameChanged | PublishingRefused | QuotaExceeded | StorageUnavailable | IdempotencyKeyInUse} */
  async execute(
    { space, by, name }: UploadRequest,
    { file: { originalName, mediaType, staged }, uuid, facts, metadata, key }: StoredUpload,
  ): Promise<CatalogImage> {
    const { size, sha256 } = staged;
    const image = { uuid, originalName, mediaType, size, sha256, ...facts };
    try {
      return await this.images.in(space).add(image, key?.claim, metadata, by, name);
    } catch (error) {
      // An upload that has taken over the key may have taken the last room: this one is not refused for good.
      if (error instanceof QuotaExceeded && (await key?.isTakenOver())) throw new IdempotencyKeyInUse();
      throw error;
    }
  }
}
