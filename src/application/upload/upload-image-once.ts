import { IdempotencyKeyInUse, QuotaExceeded } from '../../domain/errors.ts';
import type {
  IdempotencyClaim,
  IdempotencyKey,
  IdempotencyKeys,
  KnownKey,
} from '../../domain/ports/records/idempotency-keys.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import { EarlierUpload } from './earlier-upload.ts';
import type { StoredUpload, Upload, UploadImage } from './upload-image.ts';

export interface UploadResult extends StoredUpload {
  /** An earlier upload under the same key made it. */
  readonly replayed: boolean;
}

/** A client may repeat the upload until it gets the response: one key leads to one image. */
export class UploadImageOnce {
  constructor(
    private readonly uploadImage: UploadImage,
    private readonly images: InSpaces<ImageRepository>,
    private readonly keys: IdempotencyKeys,
  ) {}

  /**
   * An upload that fails does not use up its key.
   *
   * @throws {IdempotencyKeyInUse | IdempotencyKeyReused | ImageNotFound} and what `UploadImage` throws
   */
  async execute(upload: Upload, key: Omit<IdempotencyKey, 'space'>): Promise<UploadResult> {
    const {
      space,
      staged: { sha256 },
    } = upload;
    const result = await this.keys.claim({ ...key, space, sha256 });
    if (result.state === 'in_use') throw new IdempotencyKeyInUse();
    if (result.state === 'completed') {
      const earlier = await this.earlierUpload(space, result);
      return { image: earlier.replay(sha256), replayed: true };
    }
    return { ...(await this.upload(upload, { ...key, space }, result.claim)), replayed: false };
  }

  /**
   * `undefined` if no upload under the key is complete.
   *
   * @throws {StorageUnavailable}
   */
  async findEarlier(key: IdempotencyKey): Promise<EarlierUpload | undefined> {
    const known = await this.keys.find(key);
    return known?.state === 'completed' ? await this.earlierUpload(key.space, known) : undefined;
  }

  private async upload(upload: Upload, key: IdempotencyKey, claim: IdempotencyClaim): Promise<StoredUpload> {
    try {
      return await this.uploadImage.execute(upload, claim);
    } catch (error) {
      await this.release(claim);
      // An upload that has taken over the key may have taken the last room: this one is not refused for good.
      if (error instanceof QuotaExceeded && (await this.keys.find(key)) !== undefined) {
        throw new IdempotencyKeyInUse();
      }
      throw error;
    }
  }

  private async release(claim: IdempotencyClaim): Promise<void> {
    try {
      await this.keys.release(claim);
    } catch {
      // `IdempotencyKeys` retries it later. The caller throws the first error.
    }
  }

  private async earlierUpload(
    space: Space,
    { imageId, sha256 }: KnownKey & { readonly state: 'completed' },
  ): Promise<EarlierUpload> {
    return new EarlierUpload(sha256, await this.images.in(space).findById(imageId));
  }
}
