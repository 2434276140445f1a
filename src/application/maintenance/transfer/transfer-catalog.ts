import type { BlobKey } from '../../../domain/image/blob-key.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import {
  COPIED_TABLES,
  type CopiedRow,
  type CopiedTable,
} from '../../../domain/ports/records/copied-tables.ts';
import type { OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import { batchesOf } from '../batches-of.ts';
import { blobKeysIn } from '../blob-keys-in.ts';
import { recordedAmong } from '../recorded-among.ts';
import { AdmitTransfer } from './admit-transfer.ts';
import { comparedPairs, comparedTrash, type ImagePair, requireSame } from './compared-pairs.ts';
import { CopyImages } from './copy-images.ts';
import {
  TRANSFER_BATCH_SIZE,
  type TransferEnds,
  type TransferOptions,
  type TransferPlan,
  type TransferReport,
  type TransferRun,
} from './transfer-plan.ts';

const ROWS_AT_A_TIME = 1_000;
/** Bounds a transfer whose source changes all the time. */
const MAX_PASSES = 5;

/** It can be interrupted at any moment: each pass compares source and target from end to end and removes the differences. */
export class TransferCatalog {
  private readonly admission: AdmitTransfer;
  private readonly copyImages: CopyImages;

  constructor(
    private readonly ends: TransferEnds,
    private readonly clock: Clock,
    private readonly plan: TransferPlan,
  ) {
    this.admission = new AdmitTransfer(ends, plan);
    this.copyImages = new CopyImages(ends, plan);
  }

  /** @throws {TransferRefused | StorageUnavailable} */
  async execute(options: TransferOptions): Promise<TransferReport> {
    const run: TransferRun = { ...options, report: emptyReport(), failed: new Set() };
    try {
      await this.admission.execute(run);
      await this.transfer(run);
    } catch (error) {
      if (!options.stopped.aborted || error !== options.stopped.reason) throw error;
      run.report.outcome = 'stopped';
    }
    return run.report;
  }

  private async transfer(run: TransferRun): Promise<void> {
    const { report } = run;
    const { source, target } = this.ends;
    while (report.outcome !== 'complete' && report.passes < MAX_PASSES) {
      report.passes += 1;
      if ((await this.pass(run)) === 0) report.outcome = 'complete';
    }
    if (this.plan.records) {
      await target.images.reserveIds(await source.images.highestId());
      for (const table of COPIED_TABLES) await this.copyTable(table, run);
      await target.names.reserveNumbers(await source.names.highestNumber());
    }
    if (this.plan.blobs && run.resume) await this.removeLeftovers(run);
  }

  /** Resolves to the number of differences. */
  private async pass(run: TransferRun): Promise<number> {
    const { report, failed, stopped } = run;
    if (this.plan.records) await this.admission.requireNotAhead();
    report.compared = 0;
    let changes = 0;
    let missing: OwnedImage[] = [];
    let outdated: OwnedImage[] = [];
    for await (const pair of comparedPairs(this.ends, this.plan, stopped)) {
      requireSame(pair);
      const { source, target } = await this.withoutMoved(pair);
      if (source !== undefined) report.compared += 1;
      if (source === undefined && target !== undefined) changes += await this.removeSurplus(target, run);
      if (source !== undefined && target === undefined && !failed.has(source.id)) missing.push(source);
      if (source !== undefined && isOutdated({ source, target })) outdated.push(source);
      if (report.compared % TRANSFER_BATCH_SIZE === 0) run.onProgress(report);
      if (outdated.length >= TRANSFER_BATCH_SIZE) {
        changes += await this.copyMetadata(outdated);
        outdated = [];
      }
      if (missing.length < TRANSFER_BATCH_SIZE) continue;
      changes += await this.copyImages.execute(missing, run);
      missing = [];
    }
    changes += await this.copyMetadata(outdated);
    changes += await this.copyImages.execute(missing, run);
    changes += await this.passTrash(run);
    run.onProgress(report);
    return changes;
  }

  private async passTrash(run: TransferRun): Promise<number> {
    let changes = 0;
    let missing: TrashedRecord[] = [];
    for await (const pair of comparedTrash(this.ends, this.plan, run.stopped)) {
      requireSame(pair);
      const { source, target } = pair;
      if (source === undefined && target !== undefined) changes += await this.eraseSurplus(target, run);
      if (source === undefined) continue;
      run.report.compared += 1;
      if (!isSameTrash(source, target) && !run.failed.has(source.id)) missing.push(source);
      if (missing.length < TRANSFER_BATCH_SIZE) continue;
      changes += await this.copyImages.executeTrash(missing, run);
      missing = [];
    }
    return changes + (await this.copyImages.executeTrash(missing, run));
  }

  /** The source has erased or restored it since an earlier pass. */
  private async eraseSurplus({ space, id, uuid }: TrashedRecord, { report }: TransferRun): Promise<number> {
    await this.ends.target.trash.in(space).erase(id);
    await this.removeBlob(uuid);
    report.removed += 1;
    return 1;
  }

  /** Copies the metadata of images that the target has. Resolves to their number. */
  private async copyMetadata(images: readonly OwnedImage[]): Promise<number> {
    if (images.length > 0) await this.copyImages.copyRecords(images);
    return images.length;
  }

  /** Removes a record whose space has got another name in the source: `restore` keeps existing records. */
  private async withoutMoved(pair: ImagePair): Promise<ImagePair> {
    const { source, target } = pair;
    if (source === undefined || target === undefined || source.space === target.space) return pair;
    await this.ends.target.images.in(target.space).removeById(target.id);
    return { source };
  }

  /** The image may have been added to the source after the source was listed. */
  private async removeSurplus({ space, id, uuid }: OwnedImage, { report }: TransferRun): Promise<number> {
    const { source, target } = this.ends;
    if ((await source.images.findById(id)) !== undefined) return 0;
    await target.images.in(space).removeById(id);
    await this.removeBlob(uuid);
    report.removed += 1;
    return 1;
  }

  /** Not that of an image that has only moved to the trash, or from there. */
  private async removeBlob(uuid: BlobKey): Promise<void> {
    const { source, target } = this.ends;
    if (!this.plan.blobs || (await source.images.findUuidsAmong([uuid])).size > 0) return;
    await target.blobs.remove(uuid);
  }

  /** Also names that are gone: their numbers and versions go on. The feed replaces the changes that the transfer itself has made. */
  private async copyTable(table: CopiedTable, { report, stopped }: TransferRun): Promise<void> {
    const { source, target } = this.ends;
    let last: CopiedRow | undefined;
    for (let isEnd = false; !isEnd; ) {
      stopped.throwIfAborted();
      const rows = await source.tables.readRows(table, last, ROWS_AT_A_TIME);
      await target.tables.writeRows(table, rows, last === undefined);
      if (table === 'idempotency_keys') report.keys += rows.length;
      isEnd = rows.length < ROWS_AT_A_TIME;
      last = rows.at(-1);
    }
  }

  /** A killed run may have copied blobs of images that the source deleted later. */
  private async removeLeftovers({ report, stopped }: TransferRun): Promise<void> {
    const { images, blobs } = this.ends.target;
    const latest = new Date(this.clock.now().getTime() - this.plan.graceMs);
    for await (const keys of batchesOf(blobKeysIn(blobs, { latest }), TRANSFER_BATCH_SIZE)) {
      stopped.throwIfAborted();
      const recorded = await recordedAmong(this.ends, keys);
      for (const key of keys.filter((uuid) => !recorded.has(uuid))) {
        if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.leftovers += 1;
      }
    }
  }
}

/** A clock that was set back gives one time to several deletions. */
function isSameTrash(source: TrashedRecord, target: TrashedRecord | undefined): boolean {
  return (
    target?.trashedAt.getTime() === source.trashedAt.getTime() &&
    target.space === source.space &&
    target.metadata?.version === source.metadata?.version
  );
}

function isOutdated({ source, target }: ImagePair): boolean {
  return target !== undefined && source?.metadataVersion !== target.metadataVersion;
}

function emptyReport(): TransferReport {
  return {
    outcome: 'behind',
    passes: 0,
    compared: 0,
    images: 0,
    bytes: 0,
    removed: 0,
    leftovers: 0,
    keys: 0,
    findings: 0,
  };
}
