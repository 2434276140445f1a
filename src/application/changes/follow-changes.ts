import { StorageUnavailable } from '../../domain/errors.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { ChangePage, ChangePosition } from '../../domain/ports/records/change-feed.ts';
import { pause } from '../concurrency/pause.ts';
import type { ChangeTail } from './change-tail.ts';
import type { ReadChanges } from './read-changes.ts';

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
   * Waits for changes behind a position. The page has none if the time is over, or if waiting has ended.
   *
   * @throws {CursorExpired | StorageUnavailable}
   */
  async next(after: ChangePosition, limit: number, { withinMs, ended }: ChangeWait): Promise<ChangePage> {
    const over = new AbortController();
    const end = (): void => over.abort();
    const cancel = this.timer(withinMs, end);
    if (ended.aborted) end();
    ended.addEventListener('abort', end);
    try {
      return await this.nextBefore(after, limit, over.signal);
    } finally {
      cancel();
      ended.removeEventListener('abort', end);
    }
  }

  private async nextBefore(after: ChangePosition, limit: number, over: AbortSignal): Promise<ChangePage> {
    let position = after;
    for (;;) {
      // At the end of the feed the poller has read already.
      if (!this.tail.isCurrent(position)) {
        const page = await this.readChanges.page(position, limit);
        if (page.changes.length > 0 || this.isStopped || over.aborted) return page;
        position = page.next;
        if (page.more) continue;
      }
      const shared = await this.tail.wait(position, over);
      if (shared !== undefined && shared.changes.length > 0 && shared.changes.length <= limit) return shared;
      if (this.isStopped || over.aborted) {
        return { start: position, changes: [], next: position, more: false };
      }
    }
  }

  /** As `next`, for readers that outlast a time in which the database is unavailable. */
  async nextOnceAvailable(after: ChangePosition, limit: number, wait: ChangeWait): Promise<ChangePage> {
    try {
      return await this.next(after, limit, wait);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      await pause(this.timer, RETRY_MS, wait.ended);
      return { start: after, changes: [], next: after, more: false };
    }
  }
}
