import type { Image } from '../../domain/image/image.ts';
import type { BlobStore, OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { CatalogIdentity } from '../../domain/ports/catalog-identity.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyKey, IdempotencyKeys } from '../../domain/ports/idempotency-keys.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import type { StagedFile, StagingArea } from '../../domain/ports/staging-area.ts';
import { batchesOf } from './batches.ts';
import { type ImagePair, imagesOf, pairImages } from './pair-images.ts';
import { BlobUnreadable, readBlob } from './read-blob.ts';
import type { Finding } from './verify-catalog.ts';

export interface TransferSource {
  readonly identity: CatalogIdentity;
  readonly images: ImageRepository;
  readonly keys: IdempotencyKeys;
  readonly blobs: BlobStore;
}

export interface TransferTarget extends TransferSource {
  readonly staging: StagingArea;
}

/** What is moved. The half that is not is one that source and target share. */
export interface TransferPlan {
  readonly records: boolean;
  readonly blobs: boolean;
  /** Blobs that are copied at a time. */
  readonly concurrency: number;
  /** How old a blob without a record must be to be taken for a leftover, in milliseconds. */
  readonly graceMs: number;
}

export interface TransferReport {
  /**
   * `complete` where the last pass has found nothing to do: the target had everything that the source had. `behind` where
   * the source was written to during every pass.
   */
  outcome: 'complete' | 'behind' | 'stopped';
  /** How often source and target were compared from the oldest image to the newest. */
  passes: number;
  /** Images of the source that the pass under way has come past. */
  compared: number;
  /** Images that the target has gained. */
  images: number;
  /** Bytes of their blobs, where these were copied. */
  bytes: number;
  /** Images that the target has lost, because the source has lost them since an earlier pass. */
  removed: number;
  /** Blobs removed from the target that interrupted transfers have left without a record. */
  leftovers: number;
  /** Idempotency keys that the target knows. */
  keys: number;
  /** Images that could not be copied, because their bytes are not what their record says. */
  findings: number;
}

export interface TransferOptions {
  /** Whether the target may hold what an earlier transfer of the same catalog has brought there. */
  readonly resume: boolean;
  /** Ends the transfer early, in good order. */
  readonly stopped: AbortSignal;
  readonly onProgress: (report: Readonly<TransferReport>) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** The target is not one that the source may be transferred to. Nothing, or nothing more, was changed. */
export class TransferRefused extends Error {
  constructor(
    /**
     * `not_empty`: it holds something, and this is not said to be resumed. `foreign`: it holds another catalog.
     * `ahead`: it has given ids that the source has not, so it was written to.
     */
    readonly reason: 'not_empty' | 'foreign' | 'ahead',
  ) {
    super(`The target is ${reason.replace('_', ' ')}`);
  }
}

/** One execution. */
interface Run extends TransferOptions {
  readonly report: TransferReport;
  /** Ids of images that could not be copied, which are tried once. */
  readonly failed: Set<number>;
}

/** Images recorded at a time, and looked up at a time. Less than so many are copied once more after a kill. */
const BATCH_SIZE = 100;
const KEYS_AT_A_TIME = 500;
/** A source that is written to all the time is never quite caught up with. */
const MAX_PASSES = 5;

/**
 * Copies a catalog that is in use to another place, with ids, names, times and bytes as they are, and can be interrupted at
 * any moment. It compares the two from end to end until there is no difference: what a pass does is what is missing or too
 * much, whether a kill, an upload or a delete is the reason. Bytes come before their record, as with an upload.
 */
export class TransferCatalog {
  constructor(
    private readonly source: TransferSource,
    private readonly target: TransferTarget,
    private readonly clock: Clock,
    private readonly plan: TransferPlan,
  ) {}

  /** Images that there are to transfer. */
  async count(): Promise<number> {
    return await this.source.images.count({});
  }

  /** @throws {TransferRefused | StorageUnavailable} */
  async execute(options: TransferOptions): Promise<TransferReport> {
    const run: Run = { ...options, report: emptyReport(), failed: new Set() };
    try {
      await this.admit(run);
      await this.identify();
      await this.transfer(run);
    } catch (error) {
      if (!options.stopped.aborted || error !== options.stopped.reason) throw error;
      run.report.outcome = 'stopped';
    }
    return run.report;
  }

  private async transfer(run: Run): Promise<void> {
    const { report } = run;
    while (report.outcome !== 'complete' && report.passes < MAX_PASSES) {
      report.passes += 1;
      if ((await this.pass(run)) === 0) report.outcome = 'complete';
    }
    if (this.plan.records) {
      await this.copyKeys(run);
      await this.target.images.reserveIds(await this.source.images.highestId());
    }
    if (this.plan.blobs && run.resume) await this.removeLeftovers(run);
  }

  private async admit(run: Run): Promise<void> {
    await this.admitIdentity();
    if (this.plan.records) await this.admitRecords(run);
    if (this.plan.blobs) await this.admitBlobs(run);
  }

  /** What a service has made on the target and never used is as good as nothing. */
  private async admitIdentity(): Promise<void> {
    const { identity, images, blobs } = this.target;
    const ours = await this.source.identity.establish();
    const [theirs, owner] = [await identity.find(), await blobs.owner()];
    const isUnused = this.plan.records && (await images.highestId()) === 0;
    if (theirs !== undefined && theirs !== ours && !isUnused) throw new TransferRefused('foreign');
    if (owner === undefined || owner === ours) return;
    // A store alone may be that of a catalog whose database is elsewhere, even if it is empty.
    const isOfTarget = isUnused && this.plan.blobs && owner === theirs;
    if (!isOfTarget || (await this.hasBlobs())) throw new TransferRefused('foreign');
  }

  /** The target becomes the same catalog, wherever it is interrupted: the database last, by which its own store was known. */
  private async identify(): Promise<void> {
    const id = await this.source.identity.establish();
    const { identity, blobs } = this.target;
    if (this.plan.blobs && (await blobs.owner()) !== id) {
      await blobs.disown();
      await blobs.claim(id);
      if ((await blobs.owner()) !== id) throw new TransferRefused('foreign');
    }
    if (this.plan.records) await identity.adopt(id);
  }

  private async hasBlobs(): Promise<boolean> {
    return (await firstOf(this.blobKeys())).length > 0;
  }

  /** Looks at everything before anything is changed: two catalogs that were mixed could not be told apart again. */
  private async admitRecords(run: Run): Promise<void> {
    if ((await this.target.images.highestId()) === 0) return;
    if (!run.resume) throw new TransferRefused('not_empty');
    let [known, common] = [0, 0];
    for await (const pair of this.pairs(run)) {
      requireSame(pair);
      if (pair.target !== undefined) known += 1;
      if (pair.target !== undefined && pair.source !== undefined) common += 1;
    }
    if (known > 0 && common === 0) throw new TransferRefused('foreign');
  }

  private async admitBlobs({ resume }: Run): Promise<void> {
    const [keys] = await firstOf(batchesOf(this.blobKeys(), BATCH_SIZE));
    if (keys === undefined) return;
    if (!resume) throw new TransferRefused('not_empty');
    if ((await this.recordedAmong(keys)).size === 0) throw new TransferRefused('foreign');
  }

  /** An id that the source has not given was given by a service that runs on the target already. */
  private async requireNotAhead(): Promise<void> {
    // The target first: the source may give ids in between.
    const reached = await this.target.images.highestId();
    if (reached > (await this.source.images.highestId())) throw new TransferRefused('ahead');
  }

  /** Resolves to the number of differences that were found and done away with. */
  private async pass(run: Run): Promise<number> {
    const { report, failed } = run;
    if (this.plan.records) await this.requireNotAhead();
    report.compared = 0;
    let changes = 0;
    let missing: Image[] = [];
    for await (const pair of this.pairs(run)) {
      requireSame(pair);
      const { source, target } = pair;
      if (source !== undefined) report.compared += 1;
      if (source === undefined && target !== undefined) changes += await this.removeSurplus(target, run);
      if (source !== undefined && target === undefined && !failed.has(source.id)) missing.push(source);
      if (report.compared % BATCH_SIZE === 0) run.onProgress(report);
      if (missing.length < BATCH_SIZE) continue;
      changes += await this.copy(missing, run);
      missing = [];
    }
    changes += await this.copy(missing, run);
    run.onProgress(report);
    return changes;
  }

  private async *pairs({ stopped }: Run): AsyncGenerator<ImagePair, void, undefined> {
    for await (const pair of this.plan.records
      ? pairImages(this.source.images, this.target.images)
      : unpaired(this.source.images)) {
      stopped.throwIfAborted();
      yield pair;
    }
  }

  /** The source has deleted it, unless it was not there yet when the source was read: then it is none of this pass. */
  private async removeSurplus({ id, uuid }: Image, { report }: Run): Promise<number> {
    if ((await this.source.images.findById(id)) !== undefined) return 0;
    await this.target.images.removeById(id);
    if (this.plan.blobs) await this.target.blobs.remove(uuid);
    report.removed += 1;
    return 1;
  }

  /** Resolves to the number of images that the target has gained. */
  private async copy(images: readonly Image[], run: Run): Promise<number> {
    const stored: Image[] = [];
    let copied = 0;
    await forEach(images, this.plan.concurrency, async (image) => {
      if (run.stopped.aborted) return;
      const outcome = await this.copyBlob(image, run);
      if (outcome !== 'lost') stored.push(image);
      if (outcome === 'copied') copied += 1;
    });
    if (this.plan.records) await this.target.images.restore(stored.toSorted((a, b) => a.id - b.id));
    const gained = this.plan.records ? stored.length : copied;
    run.report.images += gained;
    run.onProgress(run.report);
    run.stopped.throwIfAborted();
    return gained;
  }

  private async copyBlob(image: Image, run: Run): Promise<'copied' | 'present' | 'lost'> {
    if (!this.plan.blobs || (await this.mayHave(image, run))) return 'present';
    const problem = await this.copyOrExplain(image);
    if (problem === undefined) {
      run.report.bytes += image.size;
      return 'copied';
    }
    await this.report(image, problem, run);
    return 'lost';
  }

  /** Copies the blob; resolves to what is wrong with it where that cannot be done. */
  private async copyOrExplain(image: Image): Promise<Problem | undefined> {
    try {
      return await readBlob(this.source.blobs, image.uuid, async (blob) =>
        blob === undefined ? MISSING : await this.copyBytes(image, blob),
      );
    } catch (error) {
      // What the storage as a whole is to blame for ends the transfer; a single blob that cannot be read does not.
      if (!(error instanceof BlobUnreadable)) throw error;
      return damaged(error.message);
    }
  }

  /** A blob is put whole and with the right bytes or not at all, so one that is there need not be copied again. */
  private async mayHave({ uuid }: Image, { resume, report }: Run): Promise<boolean> {
    return (resume || report.passes > 1) && (await this.target.blobs.find(uuid)) !== undefined;
  }

  /** Nothing becomes a blob before its SHA-256 is known to be the recorded one. */
  private async copyBytes(image: Image, blob: OpenedBlob): Promise<Problem | undefined> {
    if (blob.size !== image.size) {
      await blob.close();
      return damaged(`the blob has ${blob.size} bytes, the record says ${image.size}`);
    }
    const staged = await this.stage(blob);
    try {
      if (staged.sha256 !== image.sha256)
        return damaged(`the blob has the SHA-256 ${staged.sha256}, the record says ${image.sha256}`);
      await this.target.blobs.put(image.uuid, staged);
      return undefined;
    } finally {
      await staged.discard();
    }
  }

  private async stage(blob: OpenedBlob): Promise<StagedFile> {
    try {
      return await this.target.staging.receive(chunksOf(blob), { maxBytes: blob.size, checkHead: () => {} });
    } finally {
      await blob.close();
    }
  }

  private async report({ id, uuid }: Image, problem: Problem, run: Run): Promise<void> {
    // It may have been deleted while it was looked at.
    if ((await this.source.images.findById(id)) === undefined) return;
    run.failed.add(id);
    run.report.findings += 1;
    run.onFinding({ ...problem, imageId: id, blobKey: uuid });
  }

  private async copyKeys({ report, stopped }: Run): Promise<void> {
    let after: IdempotencyKey | undefined;
    for (;;) {
      stopped.throwIfAborted();
      const keys = await this.source.keys.findCompleted({ after, limit: KEYS_AT_A_TIME });
      await this.target.keys.restore(keys);
      report.keys += keys.length;
      if (keys.length < KEYS_AT_A_TIME) return;
      after = keys.at(-1);
    }
  }

  /** An image that was deleted between a kill and the next run has left its blob, if that was copied and not yet recorded. */
  private async removeLeftovers({ report, stopped }: Run): Promise<void> {
    const latest = new Date(this.clock.now().getTime() - this.plan.graceMs);
    for await (const keys of batchesOf(this.blobKeys(latest), BATCH_SIZE)) {
      stopped.throwIfAborted();
      const recorded = await this.recordedAmong(keys);
      for (const key of keys.filter((uuid) => !recorded.has(uuid))) {
        const { images, blobs } = this.target;
        if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.leftovers += 1;
      }
    }
  }

  /** Of blobs in the target that were put there until `latest`. */
  private async *blobKeys(latest?: Date): AsyncGenerator<string, void, undefined> {
    for await (const entry of this.target.blobs.list()) {
      if (entry.kind === 'blob' && (latest === undefined || entry.modified <= latest)) yield entry.key;
    }
  }

  private async recordedAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    const ours = await this.source.images.findUuidsAmong(uuids);
    const theirs = await this.target.images.findUuidsAmong(uuids);
    return new Set([...ours, ...theirs]);
  }
}

type Problem = Pick<Finding, 'problem' | 'detail'>;

const MISSING: Problem = { problem: 'missing', detail: 'the blob is not there' };

function damaged(detail: string): Problem {
  return { problem: 'damaged', detail };
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

/** @throws {TransferRefused} */
function requireSame({ source, target }: ImagePair): void {
  if (source !== undefined && target !== undefined && source.uuid !== target.uuid) {
    throw new TransferRefused('foreign');
  }
}

/** Where the records are shared, only the blob stores can tell what is missing. */
async function* unpaired(images: ImageRepository): AsyncGenerator<ImagePair, void, undefined> {
  for await (const source of imagesOf(images)) yield { source };
}

async function* chunksOf({ bytes }: OpenedBlob): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes instanceof Uint8Array) yield bytes;
  else yield* bytes;
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  for await (const item of items) return [item];
  return [];
}

/** Works on so many items at a time. After an error no more are begun, and it rejects when those under way have ended. */
async function forEach<T>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // The workers share one generator, which the first error closes for all of them.
  const left = each(items);
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atATime }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

function* each<T>(items: readonly T[]): Generator<T, void, undefined> {
  yield* items;
}
