import type { RenditionCache } from '../../domain/ports/bytes/rendition-cache.ts';
import type { OrphanedFiles, StagingArea } from '../../domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { ChangeRetention } from '../../domain/ports/records/change-feed.ts';
import type { KeyExpiry } from '../../domain/ports/records/idempotency-keys.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import type { NameExpiry } from '../../domain/ports/records/names.ts';
import { type BlobSweep, MAX_FOREIGN, type SweepBlobs, type SweepOptions } from './sweep-blobs.ts';
import type { SweepTrash } from './sweep-trash.ts';
import { warnOfForeign } from './warn-of-foreign.ts';
import { withoutImage } from './without-image.ts';

export interface SweptStorage {
  readonly images: BlobReferences;
  readonly keys: KeyExpiry;
  readonly changes: ChangeRetention;
  readonly names: NameExpiry;
  readonly staging: StagingArea;
  /** The cache of this machine; one that all processes share is swept with the blobs. */
  readonly ownRenditions: RenditionCache | undefined;
}

export interface SweepLimits {
  /** Minimum time without a record before a blob is removed. */
  readonly graceMs: number;
  readonly maxUploadMs: number;
  /** Younger changes stay in the feed. */
  readonly changesMs: number;
}

/** Rows that nothing needs any more. A dry run does not look for them. */
interface SweptRows {
  idempotencyKeys: number;
  /** Of the feed. */
  changes: number;
  /** Forgotten after their removal. */
  names: number;
  /** Hours of a subject, whose changes no longer count. */
  changeCounts: number;
}

/** In a dry run, what would be removed. */
export interface OwnSweep extends Partial<SweptRows> {
  /** Left by processes that have ended. */
  stagedFiles: number;
  /** Deleted images with cached renditions. */
  renditions: number;
  /** Images that were in the trash for long enough. */
  trashed: number;
  /** The first files that the service did not create. */
  foreign: string[];
}

export interface SweepReport extends OwnSweep, BlobSweep {}

/** The API guarantees a day. */
const KEY_LIFE_MS = 48 * 60 * 60_000;
/** Above `LONGEST_LINK_MS`: no link to a name that was removed so long ago can be good. */
const REMOVED_NAME_LIFE_MS = 8 * 24 * 60 * 60_000;

export interface SweptParts {
  readonly blobs: SweepBlobs;
  readonly trash: SweepTrash;
}

/** What every process sweeps on its machine and in the database. Blobs are swept in slices, which the processes share. */
export class SweepOrphans {
  constructor(
    private readonly storage: SweptStorage,
    private readonly sweep: SweptParts,
    private readonly clock: Clock,
    private readonly limits: SweepLimits,
    private readonly log: EventLog,
  ) {}

  /**
   * Everything, with all blobs.
   *
   * @param dryRun reports all orphans older than the grace
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async execute(options: SweepOptions): Promise<SweepReport> {
    const own = await this.sweepOwn(options);
    const blobs = await this.sweep.blobs.sweepAll(options);
    const foreign = [...own.foreign, ...blobs.foreign].slice(0, MAX_FOREIGN);
    return { ...own, ...blobs, renditions: own.renditions + blobs.renditions, foreign };
  }

  /**
   * Everything but blobs and shared renditions.
   *
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async sweepOwn({ dryRun, stopped }: SweepOptions): Promise<OwnSweep> {
    const { names, foreign } = await this.sweepStagedOrphans(dryRun);
    warnOfForeign(foreign.slice(0, MAX_FOREIGN), this.log);
    return {
      stagedFiles: names.length,
      trashed: await this.sweep.trash.execute({ dryRun, stopped }),
      renditions: await this.sweepRenditions(dryRun, stopped),
      ...(dryRun ? {} : await this.sweepRows(stopped)),
      foreign: foreign.slice(0, MAX_FOREIGN),
    };
  }

  /** Removes only staged files, which is quick. */
  async sweepStaging(): Promise<number> {
    return (await this.sweepStagedOrphans(false)).names.length;
  }

  private async sweepStagedOrphans(dryRun: boolean): Promise<OrphanedFiles> {
    const unseenBefore = this.ago(Math.max(this.limits.graceMs, this.limits.maxUploadMs));
    const orphans = await this.storage.staging.findOrphans(unseenBefore);
    if (!dryRun) for (const name of orphans.names) await this.storage.staging.removeOrphan(name);
    return orphans;
  }

  private async sweepRows(stopped: AbortSignal | undefined): Promise<SweptRows> {
    const { keys, changes, names } = this.storage;
    const { changesMs } = this.limits;
    const [keysBefore, changesBefore] = [this.ago(KEY_LIFE_MS), this.ago(changesMs)];
    // The feed still has the removals of younger names: they are not looked at.
    const namesBefore = this.ago(Math.max(REMOVED_NAME_LIFE_MS, changesMs));
    return {
      idempotencyKeys: await untilNone(() => keys.removeClaimedBefore(keysBefore), stopped),
      changes: await untilNone(() => changes.removeOlder(changesBefore), stopped),
      names: await untilNone(() => names.forgetRemoved(namesBefore), stopped),
      changeCounts: await untilNone(() => changes.removeOldCounts(this.clock.now()), stopped),
    };
  }

  private async sweepRenditions(dryRun: boolean, stopped?: AbortSignal): Promise<number> {
    const { images, ownRenditions: cache } = this.storage;
    if (cache === undefined) return 0;
    let swept = 0;
    for await (const uuids of withoutImage(images, cache.listImages(), stopped)) {
      for (const uuid of dryRun ? [] : uuids) {
        stopped?.throwIfAborted();
        await cache.removeAllOf(uuid);
      }
      swept += uuids.length;
    }
    return swept;
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}

/** Resolves to the sum of all portions. */
async function untilNone(
  removeSome: () => Promise<number>,
  stopped: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  for (;;) {
    stopped?.throwIfAborted();
    const some = await removeSome();
    if (some === 0) return removed;
    removed += some;
  }
}
