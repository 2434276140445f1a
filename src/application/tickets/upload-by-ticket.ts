import { IdempotencyKeyReused, TicketUsed } from '../../domain/errors.ts';
import { keyOfTicket, type Ticket } from '../../domain/ticket/ticket.ts';
import type { EarlierUpload } from '../upload/earlier-upload.ts';
import type { Upload } from '../upload/upload-image.ts';
import type { UploadImageOnce, UploadResult } from '../upload/upload-image-once.ts';

/** A ticket holds for one image, as an idempotency key does. */
export class UploadByTicket {
  constructor(private readonly uploadImageOnce: UploadImageOnce) {}

  /** @throws {TicketUsed} and what `UploadImageOnce` throws but for `IdempotencyKeyReused` */
  async execute(upload: Upload, ticket: Ticket): Promise<UploadResult> {
    try {
      return await this.uploadImageOnce.execute(upload, keyOfTicket(ticket));
    } catch (error) {
      throw ticketError(error);
    }
  }

  /**
   * The upload that has used the ticket. `undefined` before it is complete.
   *
   * @throws {StorageUnavailable}
   */
  async findUse(ticket: Ticket): Promise<EarlierUpload | undefined> {
    return await this.uploadImageOnce.findEarlier({ ...keyOfTicket(ticket), space: ticket.space });
  }

  /**
   * @param sha256 of the bytes that were sent again
   * @throws {TicketUsed | ImageNotFound}
   */
  replay(use: EarlierUpload, sha256: string): UploadResult {
    try {
      return { image: use.replay(sha256), replayed: true };
    } catch (error) {
      throw ticketError(error);
    }
  }
}

function ticketError(error: unknown): unknown {
  return error instanceof IdempotencyKeyReused ? new TicketUsed() : error;
}
