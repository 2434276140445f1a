import type { Clock } from '../../domain/ports/process/clock.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { TrashAge, TrashExpiry } from '../../domain/ports/records/trash.ts';
import { mapConcurrently } from '../concurrency/map-concurrently.ts';
import { type BytesOfImages, removeBytes } from '../trash/remove-bytes.ts';
import type { SweepOptions } from './sweep-blobs.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Network stores have a round trip per blob. */
const REMOVED_AT_A_TIME = 8;

export interface TrashClocks {
  readonly wall: Clock;
  /** The time of the wall clock at the start of the process, plus what has passed since. It cannot be set. */
  readonly steady: Clock;
}

/**
 * Erases images that have been in the trash for long enough. A clock that was set to a later day would erase all of them: if the wall
 * clock was moved by more than a day, nothing is erased until the process is restarted.
 */
export class SweepTrash {
  private isClockMoved = false;

  /** @param ageMs `undefined` if it is not known: nothing is erased */
  constructor(
    private readonly trash: TrashExpiry,
    private readonly bytes: BytesOfImages,
    private readonly clocks: TrashClocks,
    private readonly ageMs: number | undefined,
    private readonly log: EventLog,
  ) {}

  /**
   * Resolves to the number of erased images; in a dry run, of those that would be.
   *
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async execute({ dryRun, stopped }: SweepOptions): Promise<number> {
    const age = this.age();
    if (age === undefined) return 0;
    if (dryRun) return await this.trash.countOlder(age);
    let erased = 0;
    for (;;) {
      stopped?.throwIfAborted();
      const keys = await this.trash.eraseOlder(age);
      if (keys.length === 0) return erased;
      await mapConcurrently(keys, REMOVED_AT_A_TIME, (uuid) => removeBytes({ uuid }, this.bytes, this.log));
      erased += keys.length;
    }
  }

  /** One look at the clock is checked and used. */
  private age(): TrashAge | undefined {
    if (this.ageMs === undefined) return undefined;
    const [now, steady] = [this.clocks.wall.now(), this.clocks.steady.now()];
    const movedMs = now.getTime() - steady.getTime();
    if (Math.abs(movedMs) > DAY_MS) this.noteMoved(movedMs);
    return this.isClockMoved ? undefined : { now, ageMs: this.ageMs };
  }

  private noteMoved(movedMs: number): void {
    if (this.isClockMoved) return;
    this.isClockMoved = true;
    const movedSeconds = Math.round(movedMs / 1000);
    this.log.warn({ movedSeconds }, 'the clock was set: nothing is erased from the trash until a restart');
  }
}
