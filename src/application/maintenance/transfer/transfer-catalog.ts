import type { Clock } from '../../../domain/ports/process/clock.ts';
import {
  COPIED_TABLES,
  type CopiedRow,
  type CopiedTable,
} from '../../../domain/ports/records/copied-tables.ts';
import { isTrashed, type RecordedImage } from '../../../domain/ports/records/trash.ts';
import { batchesOf } from '../batches-of.ts';
import { blobKeysIn } from '../blob-keys-in.ts';
import { recordedAmong } from '../recorded-among.ts';
import { AdmitTransfer } from './admit-transfer.ts';
import { comparedPairs, type Pair } from './compared-pairs.ts';
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
    const { report } = run;
    if (this.plan.records) await this.admission.requireNotAhead();
    report.compared = 0;
    let changes = 0;
    for await (const pairs of batchesOf(this.differences(run), TRANSFER_BATCH_SIZE)) {
      changes += await this.copyImages.execute(pairs, run);
    }
    run.onProgress(report);
    return changes;
  }

  private async *differences(run: TransferRun): AsyncGenerator<Pair, void, undefined> {
    const { report, failed } = run;
    for await (const pair of comparedPairs(this.ends, this.plan, run.stopped)) {
      const { source, target } = pair;
      if (source !== undefined) report.compared += 1;
      if (report.compared % TRANSFER_BATCH_SIZE === 0) run.onProgress(report);
      const hasFailed = source !== undefined && failed.has(source.id);
      if (!hasFailed && stateOf(source) !== stateOf(target)) yield pair;
    }
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

/** Other than before after each change. A clock that was set back gives one time to several deletions. */
function stateOf(image: RecordedImage | undefined): string | undefined {
  if (image === undefined) return undefined;
  const version = isTrashed(image) ? image.metadata?.version : image.metadataVersion;
  return JSON.stringify([isTrashed(image) && image.trashedAt, version, image.space]);
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
