import type { Timer } from '../../domain/ports/process/timer.ts';
import type { ChangeFeed, ChangePage, ChangePosition } from '../../domain/ports/records/change-feed.ts';

import { pause } from '../concurrency/pause.ts';

const POLL_MS = 250;
/** Of one page, so that what is held for a reader is bounded: the name of a client has up to 255 characters. */
export const LIVE_CHANGES = 100;

interface Waiter {
  readonly position: ChangePosition;
  readonly wake: (page?: ChangePage) => void;
}

/** The end of the feed: all waiting readers of a process share one poller, which runs only while there are some. */
export class ChangeTail {
  private readonly waiters = new Set<Waiter>();
  /** What the poller has read up to; `undefined` while there is none. */
  private newest: ChangePosition | undefined;
  private isPolling = false;
  private stopped = false;
  private endPause = (): void => {};

  constructor(
    private readonly feed: Pick<ChangeFeed, 'latest' | 'readPage'>,
    private readonly timer: Timer,
  ) {}

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Whether the poller knows of no change behind it. */
  isCurrent(position: ChangePosition): boolean {
    return this.newest !== undefined && isSamePosition(position, this.newest);
  }

  /**
   * Waits for a change behind the position. Readers that wait at the same position share the page. Without a page, the reader
   * looks itself; there may be none.
   */
  async wait(position: ChangePosition, ended: AbortSignal): Promise<ChangePage | undefined> {
    if (ended.aborted || this.stopped || this.isPassed(position)) return undefined;
    return await new Promise((resolve) => {
      const wake = (page?: ChangePage): void => {
        this.waiters.delete(waiter);
        ended.removeEventListener('abort', giveUp);
        resolve(page);
      };
      const giveUp = (): void => {
        wake();
        // What the poller knows grows old without a reader.
        if (this.waiters.size === 0) this.endPause();
      };
      const waiter = { position, wake };
      ended.addEventListener('abort', giveUp);
      this.waiters.add(waiter);
      if (!this.isPolling) void this.poll();
    });
  }

  /** Wakes all readers, and lets none wait any more. */
  stop(): void {
    this.stopped = true;
    for (const { wake } of this.waiters) wake();
    this.endPause();
  }

  private isPassed({ number }: ChangePosition): boolean {
    return this.newest !== undefined && number < this.newest.number;
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    while (this.waiters.size > 0) {
      const isEnd = await this.look();
      if (isEnd && !this.stopped) await this.pause();
    }
    this.isPolling = false;
    this.newest = undefined;
  }

  /** Resolves to whether it has reached the end. Never rejects: while the database is unavailable, readers wait on. */
  private async look(): Promise<boolean> {
    try {
      const page = this.newest && (await this.feed.readPage(this.newest, LIVE_CHANGES));
      // At first, and when the catalog was restored.
      if (page === undefined) this.publish(await this.feed.latest());
      else if (!isSamePosition(page.start, page.next)) this.publish(page.next, page);
      return page?.more !== true;
    } catch {
      return true;
    }
  }

  private publish(newest: ChangePosition, page?: ChangePage): void {
    this.newest = newest;
    for (const { position, wake } of this.waiters) {
      if (page !== undefined && isSamePosition(position, page.start)) wake(page);
      else if (!isSamePosition(position, newest)) wake();
    }
  }

  private async pause(): Promise<void> {
    const ended = new AbortController();
    this.endPause = (): void => ended.abort();
    await pause(this.timer, POLL_MS, ended.signal);
  }
}

export function isSamePosition(one: ChangePosition, other: ChangePosition): boolean {
  return one.number === other.number && one.mark === other.mark;
}
