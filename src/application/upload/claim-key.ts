import { IdempotencyKeyInUse } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
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
import type { ReceivedFile } from './incoming-file.ts';
import type { Rollback } from './rollback.ts';
import type { UploadRequest } from './upload-request.ts';

interface ClaimedKey {
  /** The image of an earlier upload of the same bytes with the key. */
  readonly earlier?: CatalogImage;
  /** `undefined` if the upload has no key. */
  readonly key?: HeldKey;
}

/** Holds the key of an upload while it is under way. One key leads to one image. */
export class ClaimKey {
  constructor(
    private readonly images: InSpaces<Pick<ImageRepository, 'findById'>>,
    private readonly keys: IdempotencyKeys,
  ) {}

  /** @throws {IdempotencyKeyInUse | IdempotencyKeyReused | TicketUsed | ImageNotFound | StorageUnavailable} */
  async execute(
    { space, key, ticket }: UploadRequest,
    { staged: { sha256 } }: ReceivedFile,
    rollback: Rollback,
  ): Promise<ClaimedKey> {
    if (key === undefined) return {};
    const result = await this.keys.claim({ ...key, space, sha256 });
    if (result.state === 'in_use') throw new IdempotencyKeyInUse();
    if (result.state === 'completed') {
      return { earlier: (await this.earlierUpload(space, result)).replay(sha256, ticket) };
    }
    const held = new HeldKey(this.keys, result.claim);
    rollback.add(() => held.release());
    return { key: held };
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

  private async earlierUpload(
    space: Space,
    { imageId, sha256 }: KnownKey & { readonly state: 'completed' },
  ): Promise<EarlierUpload> {
    return new EarlierUpload(sha256, await this.images.in(space).findById(imageId));
  }
}

export class HeldKey {
  private isReleased = false;

  constructor(
    private readonly keys: IdempotencyKeys,
    readonly claim: IdempotencyClaim,
  ) {}

  /** Never rejects. */
  async release(): Promise<void> {
    if (this.isReleased) return;
    this.isReleased = true;
    try {
      await this.keys.release(this.claim);
    } catch {
      // `IdempotencyKeys` retries it later.
    }
  }

  /**
   * Whether another upload has taken it over. Releases it to find out.
   *
   * @throws {StorageUnavailable}
   */
  async isTakenOver(): Promise<boolean> {
    await this.release();
    return (await this.keys.find(this.claim)) !== undefined;
  }
}
