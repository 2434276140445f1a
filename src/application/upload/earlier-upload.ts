import { IdempotencyKeyReused, ImageNotFound, TicketUsed } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';

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
   * @param ticket whose key it is
   * @throws {IdempotencyKeyReused | TicketUsed | ImageNotFound}
   */
  replay(sha256: string, ticket: Ticket | undefined): CatalogImage {
    if (sha256 !== this.sha256) throw ticket === undefined ? new IdempotencyKeyReused() : new TicketUsed();
    if (this.image === undefined) throw new ImageNotFound('The image of this upload was deleted');
    return this.image;
  }
}
