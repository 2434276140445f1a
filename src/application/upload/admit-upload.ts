import { QuotaExceeded } from '../../domain/errors.ts';
import type { IdempotencyKeys } from '../../domain/ports/records/idempotency-keys.ts';
import type { SpaceUsage } from '../../domain/ports/records/space-records.ts';
import { bytesLeft } from '../../domain/space/bytes-left.ts';
import { FORM_OVERHEAD_BYTES } from './incoming-file.ts';
import type { UploadRequest } from './upload-request.ts';
import type { UploadSlot } from './upload-slot.ts';

interface SlotSource {
  take(upload: UploadRequest): Promise<UploadSlot>;
}

/** Refuses an upload before its body is read, or gives it a slot. */
export class AdmitUpload {
  constructor(
    private readonly usage: SpaceUsage,
    private readonly keys: Pick<IdempotencyKeys, 'find'>,
    private readonly slots: SlotSource,
    private readonly ticketSlots: SlotSource,
  ) {}

  /** @throws {QuotaExceeded | IdempotencyKeyInUse | Overloaded | StorageUnavailable} and the reason of the requester's signal */
  async execute(upload: UploadRequest): Promise<UploadSlot> {
    await this.requireRoom(upload);
    return await (upload.ticket === undefined ? this.slots : this.ticketSlots).take(upload);
  }

  /**
   * The transaction of the record judges exactly; this saves the transfer of bytes that will be refused. A key that the space knows may
   * be a replay.
   */
  private async requireRoom({ space, key, file: { bodyBytes = 0 } }: UploadRequest): Promise<void> {
    const minBytes = bodyBytes - FORM_OVERHEAD_BYTES;
    if (minBytes <= 0 || minBytes <= bytesLeft(await this.usage.find(space))) return;
    if (key !== undefined && (await this.keys.find({ ...key, space })) !== undefined) return;
    throw new QuotaExceeded();
  }
}
