import { QuotaExceeded } from '../../domain/errors.ts';
import type { IdempotencyKey, IdempotencyKeys } from '../../domain/ports/records/idempotency-keys.ts';
import type { SpaceUsage } from '../../domain/ports/records/space-records.ts';
import { bytesLeft } from '../../domain/space/bytes-left.ts';
import type { Space } from '../../domain/space/space.ts';

export interface AnnouncedUpload {
  readonly space: Space;
  /** The file has at least as many bytes, by the headers of the request; above 0. */
  readonly minBytes: number;
  readonly key?: Omit<IdempotencyKey, 'space'> | undefined;
}

/**
 * Refuses an upload before its body is read. The transaction of the record judges exactly; this saves the transfer of bytes that
 * will be refused.
 */
export class AdmitUpload {
  constructor(
    private readonly usage: SpaceUsage,
    private readonly keys: Pick<IdempotencyKeys, 'find'>,
  ) {}

  /**
   * Admits uploads under a key that the space knows: they may be replays.
   *
   * @throws {QuotaExceeded | StorageUnavailable}
   */
  async execute({ space, minBytes, key }: AnnouncedUpload): Promise<void> {
    if (minBytes <= bytesLeft(await this.usage.find(space))) return;
    if (key !== undefined && (await this.keys.find({ ...key, space })) !== undefined) return;
    throw new QuotaExceeded();
  }
}
