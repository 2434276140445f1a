import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing, BlobOwnership, BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../../domain/ports/bytes/rendition-cache.ts';
import type { Leftovers, StagingArea } from '../../domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { ChangeRetention } from '../../domain/ports/records/change-feed.ts';
import type { KeyExpiry } from '../../domain/ports/records/idempotency-keys.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import { batchesOf } from './batches.ts';

export interface SweptStorage {
  readonly identity: CatalogIdentity;
  readonly images: BlobReferences;
  readonly keys: KeyExpiry;
  readonly changes: ChangeRetention;
  readonly blobs: BlobStore & BlobListing & BlobOwnership;
  readonly staging: StagingArea;
  readonly renditions: RenditionCache;
}

export interface SweepLimits {
  /** Minimum time without a record before a blob is removed. */
  readonly graceMs: number;
  readonly maxUploadMs: number;
  /** Younger changes stay in the feed. */
  readonly changesMs: number;
}

/** In a dry run, what would be removed. */
export interface SweepReport {
  /** Left by processes that have ended. */
  stagedFiles: number;
  blobs: number;
  /** First seen less than the grace ago; a later sweep decides. */
  blobsWatched: number;
  /** Deleted images with cached renditions. */
  renditions: number;
  idempotencyKeys: number;
  /** Of the feed. */
  changes: number;
  /** The first files that the service did not create. */
  foreign: string[];
}

export interface SweepOptions {
  readonly dryRun: boolean;
  readonly stopped?: AbortSignal;
}

/** The API guarantees a day. */
const KEY_LIFE_MS = 48 * 60 * 60_000;
const BATCH_SIZE = 500;
/** A later sweep handles the rest. */
const MAX_WATCHED = 100_000;
const MAX_FOREIGN = 100;

/**
 * Removes a blob only if two checks, the grace apart, found no record, and a third one under the lock that excludes recording.
 * A slower upload fails with 503. No blob is removed from a store that another catalog owns.
 */
export class SweepOrphans {
  /** By the time of the first check. */
  private watched = new Map<string, Date>();

  constructor(
    private readonly storage: SweptStorage,
    private readonly clock: Clock,
    private readonly limits: SweepLimits,
    private readonly log: EventLog,
  ) {}

  /**
   * @param dryRun reports all orphans older than the grace
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async execute({ dryRun, stopped }: SweepOptions): Promise<SweepReport> {
    const { names, foreign } = await this.sweepLeftovers(dryRun);
    const report: SweepReport = {
      stagedFiles: names.length,
      blobs: 0,
      blobsWatched: 0,
      renditions: 0,
      idempotencyKeys: await this.sweepKeys(dryRun),
      changes: await this.sweepChanges(dryRun, stopped),
      foreign: foreign.slice(0, MAX_FOREIGN),
    };
    await this.sweepBlobs(report, dryRun, stopped);
    await this.sweepRenditions(report, dryRun, stopped);
    if (report.foreign.length > 0) this.log.warn({ names: report.foreign }, 'foreign files left alone');
    return report;
  }

  /** Removes only staged files, which is quick. */
  async sweepStaging(): Promise<number> {
    return (await this.sweepLeftovers(false)).names.length;
  }

  private async sweepLeftovers(dryRun: boolean): Promise<Leftovers> {
    const unseenBefore = this.ago(Math.max(this.limits.graceMs, this.limits.maxUploadMs));
    const leftovers = await this.storage.staging.findLeftovers(unseenBefore);
    if (!dryRun) for (const name of leftovers.names) await this.storage.staging.removeLeftover(name);
    return leftovers;
  }

  private async sweepKeys(dryRun: boolean): Promise<number> {
    const { keys } = this.storage;
    const time = this.ago(KEY_LIFE_MS);
    return dryRun ? await keys.countClaimedBefore(time) : await keys.removeClaimedBefore(time);
  }

  private async sweepChanges(dryRun: boolean, stopped?: AbortSignal): Promise<number> {
    const { changes } = this.storage;
    const time = this.ago(this.limits.changesMs);
    if (dryRun) return await changes.countOlder(time);
    let removed = 0;
    for (;;) {
      stopped?.throwIfAborted();
      const some = await changes.removeOlder(time);
      if (some === 0) return removed;
      removed += some;
    }
  }

  private async sweepBlobs(report: SweepReport, dryRun: boolean, stopped?: AbortSignal): Promise<void> {
    const before = this.watched;
    this.watched = new Map();
    for await (const keys of batchesOf(this.oldBlobs(report), BATCH_SIZE)) {
      stopped?.throwIfAborted();
      const orphans = await this.withoutRecord(keys);
      if (!dryRun && orphans.length > 0 && !(await this.ownsBlobs())) return;
      for (const key of orphans) {
        stopped?.throwIfAborted();
        if (dryRun) report.blobs += 1;
        else await this.sweepBlob(key, before.get(key), report);
      }
    }
  }

  /** Checked before every batch: an operator may exchange the store at any time. */
  private async ownsBlobs(): Promise<boolean> {
    const { identity, blobs } = this.storage;
    const [catalog, owner] = [await identity.find(), await blobs.owner()];
    if (owner !== undefined && owner === catalog) return true;
    this.log.warn({ catalog, owner }, 'blob store of another catalog: no blob is removed');
    return false;
  }

  private async *oldBlobs(report: SweepReport): AsyncGenerator<BlobKey, void, undefined> {
    const latest = this.ago(this.limits.graceMs);
    for await (const entry of this.storage.blobs.list()) {
      if (entry.kind === 'blob' && entry.modified <= latest) yield entry.key;
      if (entry.kind === 'foreign' && report.foreign.length < MAX_FOREIGN) report.foreign.push(entry.name);
    }
  }

  private async sweepBlob(key: BlobKey, firstSeen: Date | undefined, report: SweepReport): Promise<void> {
    const isDue = firstSeen !== undefined && firstSeen <= this.ago(this.limits.graceMs);
    if (isDue) {
      const { images, blobs } = this.storage;
      if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.blobs += 1;
    } else if (this.watched.size < MAX_WATCHED) {
      this.watched.set(key, firstSeen ?? this.clock.now());
      report.blobsWatched += 1;
    }
  }

  /** Renditions can be made again, so one check is enough. */
  private async sweepRenditions(report: SweepReport, dryRun: boolean, stopped?: AbortSignal): Promise<void> {
    for await (const uuids of batchesOf(this.storage.renditions.listImages(), BATCH_SIZE)) {
      stopped?.throwIfAborted();
      for (const uuid of await this.withoutRecord(uuids)) {
        stopped?.throwIfAborted();
        if (!dryRun) await this.storage.renditions.removeAllOf(uuid);
        report.renditions += 1;
      }
    }
  }

  private async withoutRecord(uuids: readonly BlobKey[]): Promise<readonly BlobKey[]> {
    const recorded = await this.storage.images.findUuidsAmong(uuids);
    return uuids.filter((uuid) => !recorded.has(uuid));
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}
