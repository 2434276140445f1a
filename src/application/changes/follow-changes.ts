import { StorageUnavailable } from '../../domain/errors.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { ChangePage, ChangePosition } from '../../domain/ports/records/change-feed.ts';
import { pause } from '../concurrency/pause.ts';
import { runWithin } from '../concurrency/run-within.ts';
import type { ChangeTail } from './change-tail.ts';
import type { ReadChanges, SeenSpace } from './read-changes.ts';

export interface ChangeWait {
  readonly withinMs: number;
  /** The reader has left, or may read no longer. */
  readonly ended: AbortSignal;
}

const RETRY_MS = 1_000;

export class FollowChanges {
  constructor(
    private readonly readChanges: ReadChanges,
    private readonly tail: ChangeTail,
    private readonly timer: Timer,
  ) {}

  /** No reader waits any more. */
  get isStopped(): boolean {
    return this.tail.isStopped;
  }

  /**
   * Waits for changes behind a position. The page has none if the time is over, or if waiting has ended; its `next` moves on with
   * the whole catalog. `more` may be true because of other spaces.
   *
   * @throws {CursorExpired | StorageUnavailable}
   */
  async next(space: SeenSpace, after: ChangePosition, limit: number, wait: ChangeWait): Promise<ChangePage> {
    // At the end of the feed the poller has read already.
    const more = !this.tail.isCurrent(after);
    return await this.behind(space, { start: after, changes: [], next: after, more }, limit, wait);
  }

  /** Does what `next` does, behind a page that was read already. */
  async behind(
    space: SeenSpace,
    read: ChangePage,
    limit: number,
    { withinMs, ended }: ChangeWait,
  ): Promise<ChangePage> {
    return await runWithin(this.timer, { ms: withinMs, ended }, async (over) => {
      let page = read;
      while (page.changes.length === 0) {
        const position = page.next;
        if (page.more) page = await this.readChanges.page(space, position, limit);
        else if (this.isStopped || over.aborted) return page;
        else page = await this.tail.wait({ space, position, limit }, over);
      }
      return page;
    });
  }

  /** Does what `next` does, for readers that outlast a time in which the database is unavailable. */
  async nextOnceAvailable(
    space: SeenSpace,
    after: ChangePosition,
    limit: number,
    wait: ChangeWait,
  ): Promise<ChangePage> {
    try {
      return await this.next(space, after, limit, wait);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      await pause(this.timer, RETRY_MS, wait.ended);
      return { start: after, changes: [], next: after, more: false };
    }
  }
}
