import { isTrashed } from '../../../domain/ports/records/trash.ts';
import { batchesOf } from '../batches-of.ts';
import { blobKeysIn } from '../blob-keys-in.ts';
import { recordedAmong } from '../recorded-among.ts';
import { comparedPairs } from './compared-pairs.ts';
import { TRANSFER_BATCH_SIZE, type TransferEnds, type TransferPlan } from './transfer-plan.ts';
import { TransferRefused } from './transfer-refused.ts';

export class AdmitTransfer {
  constructor(
    private readonly ends: TransferEnds,
    private readonly plan: TransferPlan,
  ) {}

  /**
   * Checks everything before the first change: two mixed catalogs could not be separated again.
   *
   * @throws {TransferRefused | StorageUnavailable}
   */
  async execute(run: { readonly resume: boolean; readonly stopped: AbortSignal }): Promise<void> {
    await this.checkIdentity();
    if (this.plan.records) await this.checkRecords(run);
    if (this.plan.blobs) await this.checkBlobs(run.resume);
    await this.identify();
  }

  /** @throws {TransferRefused} */
  async requireNotAhead(): Promise<void> {
    const { source, target } = this.ends;
    // The target first: the source may give ids between the two reads.
    const reached = await target.images.highestId();
    if (reached > (await source.images.highestId())) throw new TransferRefused('ahead');
  }

  /** A target that a service has created but never used counts as empty. */
  private async checkIdentity(): Promise<void> {
    const { identity, images, blobs } = this.ends.target;
    const ours = await this.ends.source.identity.establish();
    const [theirs, owner] = [await identity.find(), await blobs.owner()];
    const isUnused = this.plan.records && (await images.highestId()) === 0;
    if (theirs !== undefined && theirs !== ours && !isUnused) throw new TransferRefused('foreign');
    if (owner === undefined || owner === ours) return;
    // A store without its database may belong to a catalog whose database is elsewhere, even if the store is empty.
    const isOfTarget = isUnused && this.plan.blobs && owner === theirs;
    if (!isOfTarget || (await this.firstBlobs()) !== undefined) throw new TransferRefused('foreign');
  }

  private async checkRecords({ resume, stopped }: Parameters<AdmitTransfer['execute']>[0]): Promise<void> {
    if ((await this.ends.target.images.highestId()) === 0) return;
    if (!resume) throw new TransferRefused('not_empty');
    let [hasImages, isCommon] = [false, false];
    for await (const { source, target } of comparedPairs(this.ends, this.plan, stopped)) {
      hasImages ||= target !== undefined && !isTrashed(target);
      isCommon ||= source !== undefined && target !== undefined;
    }
    if (hasImages && !isCommon) throw new TransferRefused('foreign');
  }

  private async checkBlobs(resume: boolean): Promise<void> {
    const keys = await this.firstBlobs();
    if (keys === undefined) return;
    if (!resume) throw new TransferRefused('not_empty');
    if ((await recordedAmong(this.ends, keys)).size === 0) throw new TransferRefused('foreign');
  }

  private async firstBlobs(): Promise<readonly string[] | undefined> {
    for await (const keys of batchesOf(blobKeysIn(this.ends.target.blobs), TRANSFER_BATCH_SIZE)) return keys;
    return undefined;
  }

  /** Writes the database last: after an interruption its old identity still matches its own store. */
  private async identify(): Promise<void> {
    const id = await this.ends.source.identity.establish();
    const { identity, blobs } = this.ends.target;
    if (this.plan.blobs && (await blobs.owner()) !== id) {
      await blobs.release();
      await blobs.claim(id);
      if ((await blobs.owner()) !== id) throw new TransferRefused('foreign');
    }
    if (this.plan.records) await identity.adopt(id);
  }
}
