import { IdempotencyKeyInUse } from '../../domain/errors.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { UploadRequest } from './upload-request.ts';
import type { UploadSlot } from './upload-slot.ts';
import type { UploadSlots } from './upload-slots.ts';

/** The slots of uploads by ticket in this process. One ticket has one. */
export class TicketSlots {
  /** The uploads that have a slot, or wait for one, by the ids of their tickets. */
  private readonly underWay = new Map<string, IncomingFile>();

  constructor(private readonly slots: Pick<UploadSlots, 'take'>) {}

  /**
   * A ticket is free as soon as its connection is gone; the slot is held as long as there is work.
   *
   * @throws {IdempotencyKeyInUse} and what `UploadSlots` throws
   */
  async take(upload: UploadRequest): Promise<UploadSlot> {
    const id = upload.ticket?.id ?? '';
    if (this.underWay.get(id)?.isGone === false) throw new IdempotencyKeyInUse();
    this.underWay.set(id, upload.file);
    try {
      return this.freeingTicket(await this.slots.take(upload), id, upload.file);
    } catch (error) {
      this.forget(id, upload.file);
      throw error;
    }
  }

  private freeingTicket(slot: UploadSlot, id: string, file: IncomingFile): UploadSlot {
    const release = (): void => {
      this.forget(id, file);
      slot.release();
    };
    return { setArriving: (body) => slot.setArriving(body), release, [Symbol.dispose]: release };
  }

  /** Another request may have the ticket by now. */
  private forget(id: string, file: IncomingFile): void {
    if (this.underWay.get(id) === file) this.underWay.delete(id);
  }
}
