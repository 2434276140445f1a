import type { BlobStore } from '../../domain/ports/blob-store.ts';
import type { CatalogIdentity } from '../../domain/ports/catalog-identity.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventLog } from '../../domain/ports/event-log.ts';
import type { IdempotencyKeys } from '../../domain/ports/idempotency-keys.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import type { RenditionCache } from '../../domain/ports/rendition-cache.ts';
import type { Leftovers, StagingArea } from '../../domain/ports/staging-area.ts';
import { batchesOf } from './batches.ts';

export interface SweptStorage {
  readonly identity: CatalogIdentity;
  readonly images: ImageRepository;
  readonly keys: IdempotencyKeys;
  readonly blobs: BlobStore;
  readonly staging: StagingArea;
  readonly renditions: RenditionCache;
}

export interface SweepLimits {
  /** How long something must have been without a record, in milliseconds. */
  readonly graceMs: number;
  /** How long an upload can be under way, in milliseconds. */
  readonly maxUploadMs: number;
}

/** What a sweep has removed or, where it was told to change nothing, would remove. */
export interface SweepReport {
  /** Unfinished uploads of processes that are gone. */
  stagedFiles: number;
  /** Blobs without a record. */
  blobs: number;
  /** Blobs without a record that were seen for the first time, or too short a time ago; a later sweep decides. */
  blobsWatched: number;
  /** Images that are gone and of which renditions were kept. */
  renditions: number;
  idempotencyKeys: number;
  /** What the service has not put there: left alone. The first ones by name. */
  foreign: string[];
}

export interface SweepOptions {
  readonly dryRun: boolean;
  readonly stopped?: AbortSignal;
}

/** How long a key is kept. The contract promises a day. */
const KEY_LIFE_MS = 48 * 60 * 60_000;
/** Looked up in the database at a time. */
const BATCH_SIZE = 500;
/** Orphans watched between two sweeps, and foreign names reported: bounds memory; what is beyond comes next time. */
const MAX_WATCHED = 100_000;
const MAX_FOREIGN = 100;

/**
 * Removes what crashes leave behind. Uploads under way, here and in other processes, are safe from it: a blob is removed
 * only where two looks, the grace apart, have found no record of it, and a third one while nobody can make it. An upload that
 * was slower than that finds its blob gone and fails: it is not acknowledged. From a store that is not noted to be this catalog's
 * no blob is removed.
 */
export class SweepOrphans {
  /** Blobs without a record, by the time of the first look that found them so. */
  private watched = new Map<string, Date>();

  constructor(
    private readonly storage: SweptStorage,
    private readonly clock: Clock,
    private readonly limits: SweepLimits,
    private readonly log: EventLog,
  ) {}

  /**
   * @param dryRun changes nothing, and reports all that is without a record for longer than the grace
   * @param stopped ends the sweep early; what is left to do is the next one's
   * @throws {StorageUnavailable}, the reason of `stopped`
   */
  async execute({ dryRun, stopped }: SweepOptions): Promise<SweepReport> {
    const { names, foreign } = await this.sweepLeftovers(dryRun);
    const report: SweepReport = {
      stagedFiles: names.length,
      blobs: 0,
      blobsWatched: 0,
      renditions: 0,
      idempotencyKeys: await this.sweepKeys(dryRun),
      foreign: foreign.slice(0, MAX_FOREIGN),
    };
    await this.sweepBlobs(report, dryRun, stopped);
    await this.sweepRenditions(report, dryRun, stopped);
    if (report.foreign.length > 0) this.log.warn({ names: report.foreign }, 'foreign files left alone');
    return report;
  }

  /** The part of a sweep that is quick: unfinished uploads. Resolves to their number. */
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

  /** Looked at time and again: what the address of the store leads to may be exchanged, or unmounted, at any time. */
  private async ownsBlobs(): Promise<boolean> {
    const { identity, blobs } = this.storage;
    const [catalog, owner] = [await identity.find(), await blobs.owner()];
    if (owner !== undefined && owner === catalog) return true;
    this.log.warn({ catalog, owner }, 'blob store of another catalog: no blob is removed');
    return false;
  }

  /** Keys of blobs older than the grace; names of what is no blob go into the report. */
  private async *oldBlobs(report: SweepReport): AsyncGenerator<string, void, undefined> {
    const latest = this.ago(this.limits.graceMs);
    for await (const entry of this.storage.blobs.list()) {
      if (entry.kind === 'blob' && entry.modified <= latest) yield entry.key;
      if (entry.kind === 'foreign' && report.foreign.length < MAX_FOREIGN) report.foreign.push(entry.name);
    }
  }

  private async sweepBlob(key: string, firstSeen: Date | undefined, report: SweepReport): Promise<void> {
    const isDue = firstSeen !== undefined && firstSeen <= this.ago(this.limits.graceMs);
    if (isDue) {
      const { images, blobs } = this.storage;
      if (await images.removeUnrecorded(key, () => blobs.remove(key))) report.blobs += 1;
    } else if (this.watched.size < MAX_WATCHED) {
      this.watched.set(key, firstSeen ?? this.clock.now());
      report.blobsWatched += 1;
    }
  }

  /** Renditions can be made again, so one look is enough. */
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

  private async withoutRecord(uuids: readonly string[]): Promise<readonly string[]> {
    const recorded = await this.storage.images.findUuidsAmong(uuids);
    return uuids.filter((uuid) => !recorded.has(uuid));
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}
