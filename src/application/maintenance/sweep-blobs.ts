import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing, BlobOwnership, BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../../domain/ports/bytes/rendition-cache.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import { pageBehind } from '../../domain/ports/records/page-behind.ts';
import type {
  SlicePage,
  SweepSlice,
  SweepSlices,
  WatchedBlob,
} from '../../domain/ports/records/sweep-slices.ts';
import { batchesOf } from './batches-of.ts';
import { warnOfForeign } from './warn-of-foreign.ts';
import { withoutImage } from './without-image.ts';

export interface SweptStore {
  readonly identity: CatalogIdentity;
  readonly images: BlobReferences;
  readonly slices: SweepSlices;
  readonly blobs: BlobStore & BlobListing & BlobOwnership;
  /** A cache that all processes share; one of a single machine is not swept in slices. */
  readonly sharedRenditions: RenditionCache | undefined;
}

export interface BlobSweep {
  /** In a dry run, what would be removed. */
  blobs: number;
  /** First seen less than the grace ago; a later sweep decides. */
  blobsWatched: number;
  /** Deleted images with renditions in the shared cache. */
  renditions: number;
  /** The first files that the service did not create. */
  foreign: string[];
}

export interface SweepOptions {
  readonly dryRun: boolean;
  readonly stopped?: AbortSignal | undefined;
}

/** A killed process delays its slice by this long. Another that takes too long loses it, which does no harm. */
const LEASE_MS = 30_000;

const RENEW_AFTER_MS = 10_000;
const SWEPT_TOGETHER = 500;

/**
 * A sweep of so many takes less than a minute, and a listing of so many on S3 100 requests. A larger slice is swept in 256 pages, one in
 * each turn.
 */
export const MAX_SLICE_BLOBS = 100_000;

export const MAX_FOREIGN = 100;

/**
 * Removes a blob only if two checks found no record, and the grace after the first one a third under the lock that excludes recording.
 * A slower upload fails with 503. No blob is removed from a store that another catalog owns.
 *
 * The store is swept in 256 slices, each by one process at a time. Two processes in one slice would do no harm.
 */
export class SweepBlobs {
  constructor(
    private readonly storage: SweptStore,
    private readonly clock: Clock,
    private readonly owner: string,
    private readonly graceMs: number,
    private readonly log: EventLog,
  ) {}

  /**
   * One slice that was swept at least `afterMs` ago. Resolves to `undefined` if there is none.
   *
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async sweepDue(afterMs: number, stopped: AbortSignal): Promise<BlobSweep | undefined> {
    const { slices } = this.storage;
    const slice = await slices.takeDue(this.owner, afterMs, LEASE_MS);
    if (slice === undefined) return undefined;
    const report = nothingSwept();
    try {
      const orphans = withoutImage(this.storage.images, this.oldBlobs(digitsOf(slice), report), stopped);
      await this.sweepSlice(slice, orphans, report, stopped, MAX_SLICE_BLOBS);
    } finally {
      if (stopped.aborted) await slices.release(this.owner).catch(() => undefined);
    }
    warnOfForeign(report.foreign, this.log);
    return report;
  }

  /**
   * All slices, due or not. The store is listed once for all of them.
   *
   * @param dryRun reports all orphans older than the grace
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async sweepAll({ dryRun, stopped }: SweepOptions): Promise<BlobSweep> {
    const report = nothingSwept();
    const { images, sharedRenditions: cache } = this.storage;
    const orphans: BlobKey[] = [];
    for await (const keys of withoutImage(images, this.oldBlobs('', report), stopped)) orphans.push(...keys);
    warnOfForeign(report.foreign, this.log);
    if (!dryRun) await this.sweepEach(orphans, report, stopped);
    else {
      report.blobs = orphans.length;
      const listed = withoutImage(images, cache?.listImages() ?? none(), stopped);
      for await (const uuids of listed) report.renditions += uuids.length;
    }
    return report;
  }

  private async sweepEach(
    orphans: readonly BlobKey[],
    report: BlobSweep,
    stopped: AbortSignal | undefined,
  ): Promise<void> {
    const { slices } = this.storage;
    for (const prefix of slices.prefixes) {
      for (let isEnd = false; !isEnd; ) {
        const slice = await slices.take(prefix, this.owner, LEASE_MS);
        if (slice === undefined) break;
        const own = orphans.filter((key) => key.startsWith(digitsOf(slice)));
        isEnd = await this.sweepSlice(slice, batchesOf(own, SWEPT_TOGETHER), report, stopped);
      }
    }
  }

  /**
   * All of it, or its page. Resolves to whether the slice is swept to its end.
   *
   * @param batches of the blobs without a record
   * @param maxBlobs beyond which a whole slice is given up, to be swept in pages
   */
  private async sweepSlice(
    slice: SweepSlice,
    batches: AsyncIterable<readonly BlobKey[]>,
    report: BlobSweep,
    stopped: AbortSignal | undefined,
    maxBlobs = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const { slices } = this.storage;
    const turn = new SliceTurn(slices, slice, this.owner, this.clock);
    let listed = 0;
    for await (const orphans of batches) {
      listed += SWEPT_TOGETHER;
      if (listed > maxBlobs && slice.page === '') {
        await slices.divide(slice.prefix, this.owner);
        return false;
      }
      if (!(await this.sweepBatch(orphans, turn, report, stopped))) break;
    }
    await this.sweepRenditions(turn, report, stopped);
    await slices.finish(slice, this.owner, turn.watched);
    return pageBehind(slice.page) === '';
  }

  /** Resolves to `false` if the rest of the slice is not to be swept. */
  private async sweepBatch(
    orphans: readonly BlobKey[],
    turn: SliceTurn,
    report: BlobSweep,
    stopped: AbortSignal | undefined,
  ): Promise<boolean> {
    if (orphans.length > 0 && !(await this.ownsBlobs())) return false;
    for (const key of orphans) {
      stopped?.throwIfAborted();
      if (!(await turn.isHeld())) return false;
      await this.sweepBlob(key, turn, report);
    }
    return await turn.isHeld();
  }

  /** Checked before every batch: an operator may exchange the store at any time. */
  private async ownsBlobs(): Promise<boolean> {
    const { identity, blobs } = this.storage;
    const [catalog, owner] = [await identity.find(), await blobs.owner()];
    if (owner !== undefined && owner === catalog) return true;
    this.log.warn({ catalog, owner }, 'blob store of another catalog: no blob is removed');
    return false;
  }

  private async *oldBlobs(prefix: string, report: BlobSweep): AsyncGenerator<BlobKey, void, undefined> {
    const latest = new Date(this.clock.now().getTime() - this.graceMs);
    for await (const entry of this.storage.blobs.list(prefix)) {
      if (entry.kind === 'blob' && entry.modified <= latest) yield entry.key;
      if (entry.kind === 'foreign') noteForeign(entry.name, report);
    }
  }

  private async sweepBlob(key: BlobKey, turn: SliceTurn, report: BlobSweep): Promise<void> {
    const since = turn.firstSeen.get(key);
    const isDue = since !== undefined && since.getTime() <= turn.slice.takenAt.getTime() - this.graceMs;
    if (isDue) {
      const { images, blobs } = this.storage;
      if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.blobs += 1;
    } else {
      turn.watched.push({ key, since });
      report.blobsWatched += 1;
    }
  }

  private async sweepRenditions(
    turn: SliceTurn,
    report: BlobSweep,
    stopped: AbortSignal | undefined,
  ): Promise<void> {
    const { images, sharedRenditions: cache } = this.storage;
    if (cache === undefined) return;
    for await (const uuids of withoutImage(images, cache.listImages(digitsOf(turn.slice)), stopped)) {
      if (!(await turn.isHeld())) return;
      for (const uuid of uuids) await cache.removeAllOf(uuid);
      report.renditions += uuids.length;
    }
  }
}

/** A process in a slice, as long as it holds the lease. */
class SliceTurn {
  readonly watched: WatchedBlob[] = [];
  readonly firstSeen: ReadonlyMap<BlobKey, Date | undefined>;
  private renewedAt: number;

  constructor(
    private readonly slices: SweepSlices,
    readonly slice: SweepSlice,
    private readonly owner: string,
    private readonly clock: Clock,
  ) {
    this.firstSeen = new Map(slice.watched.map(({ key, since }) => [key, since]));
    this.renewedAt = clock.now().getTime();
  }

  /** Renews the lease if it is time to. */
  async isHeld(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.renewedAt) < RENEW_AFTER_MS) return true;
    this.renewedAt = now;
    return await this.slices.renew(this.slice.prefix, this.owner, LEASE_MS);
  }
}

/** With which the keys begin. */
function digitsOf({ prefix, page }: SlicePage): string {
  return prefix + page;
}

async function* none(): AsyncGenerator<never, void, undefined> {}

function nothingSwept(): BlobSweep {
  return { blobs: 0, blobsWatched: 0, renditions: 0, foreign: [] };
}

function noteForeign(name: string, { foreign }: BlobSweep): void {
  if (foreign.length < MAX_FOREIGN && !foreign.includes(name)) foreign.push(name);
}
