import { IdempotencyKeyReused, ImageNotFound } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';

/** A complete upload under a key. */
export class EarlierUpload {
  constructor(
    /** The digest of its bytes. */
    readonly sha256: string,
    /** `undefined` if it was deleted. */
    readonly image: CatalogImage | undefined,
  ) {}

  /**
   * @param sha256 of the bytes that were sent again
   * @throws {IdempotencyKeyReused | ImageNotFound}
   */
  replay(sha256: string): CatalogImage {
    if (sha256 !== this.sha256) throw new IdempotencyKeyReused();
    if (this.image === undefined) throw new ImageNotFound('The image of this upload was deleted');
    return this.image;
  }
}
