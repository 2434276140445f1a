import { IdempotencyKeyReused, TicketUsed } from '../../domain/errors.ts';
import { keyOfTicket, type Ticket } from '../../domain/ticket/ticket.ts';
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
      throw error instanceof IdempotencyKeyReused ? new TicketUsed() : error;
    }
  }
}
