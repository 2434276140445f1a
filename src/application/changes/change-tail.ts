import type { Timer } from '../../domain/ports/process/timer.ts';
import type {
  Change,
  ChangeFeed,
  ChangePage,
  ChangePosition,
} from '../../domain/ports/records/change-feed.ts';
import { pause } from '../concurrency/pause.ts';
import { isSamePosition } from './is-same-position.ts';
import { EVERY_SPACE, type SeenSpace } from './read-changes.ts';

const POLL_MS = 250;

/** The changes of a page at most. It bounds what is held for a reader: the name of a client has up to 255 characters. */
export const LIVE_CHANGES = 100;

interface TailReader {
  readonly space: SeenSpace;
  readonly position: ChangePosition;
  /** The changes of a page at most. */
  readonly limit: number;
}

interface Waiter extends TailReader {
  /** Moves on with the changes of other spaces. */
  position: ChangePosition;
  readonly wake: (page: ChangePage) => void;
}

/**
 * The end of the feed: all waiting readers of a process share one poller of the whole catalog, which runs only while there are
 * some.
 */
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
   * Waits for a change that the reader may see. Readers of a space that wait at the same position share the page. A page without
   * changes says with `more` that the reader must look itself: there may be none.
   */
  async wait(reader: TailReader, ended: AbortSignal): Promise<ChangePage> {
    if (ended.aborted || this.stopped) return nothing(reader.position, false);
    if (this.isPassed(reader.position)) return nothing(reader.position, true);
    return await new Promise((resolve) => {
      const wake = (page: ChangePage): void => {
        this.waiters.delete(waiter);
        ended.removeEventListener('abort', giveUp);
        resolve(page);
      };
      const giveUp = (): void => {
        wake(nothing(waiter.position, false));
        // What the poller knows grows old without a reader.
        if (this.waiters.size === 0) this.endPause();
      };
      const waiter: Waiter = { ...reader, wake };
      ended.addEventListener('abort', giveUp);
      this.waiters.add(waiter);
      if (!this.isPolling) void this.poll();
    });
  }

  /** Wakes all readers, and lets none wait any more. */
  stop(): void {
    this.stopped = true;
    for (const { position, wake } of this.waiters) wake(nothing(position, false));
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
      if (page === undefined) this.jumpTo(await this.feed.latest());
      else this.publish(page);
      return page?.more !== true;
    } catch {
      return true;
    }
  }

  /** Called at first, and when the catalog was restored. */
  private jumpTo(newest: ChangePosition): void {
    this.newest = newest;
    for (const { position, wake } of this.waiters) {
      if (!isSamePosition(position, newest)) wake(nothing(position, true));
    }
  }

  private publish(page: ChangePage): void {
    this.newest = page.next;
    const pages = new Map<SeenSpace, ChangePage>([[EVERY_SPACE, page]]);
    for (const waiter of this.waiters) {
      // A reader that looked itself may be ahead of the poller.
      const isAhead = waiter.position.number > page.next.number;
      if (!isAhead && !isSamePosition(waiter.position, page.next)) show(waiter, page, pages);
    }
  }

  private async pause(): Promise<void> {
    const ended = new AbortController();
    this.endPause = (): void => ended.abort();
    await pause(this.timer, POLL_MS, ended.signal);
  }
}

/** @param pages of this page, by space */
function show(waiter: Waiter, page: ChangePage, pages: Map<SeenSpace, ChangePage>): void {
  const { space, position, limit, wake } = waiter;
  const shared = pages.get(space) ?? partOf(page, (change) => change.space === space);
  pages.set(space, shared);
  const seen = isSamePosition(position, page.start) ? shared : behind(position, page, shared);
  if (seen === undefined || seen.changes.length > limit) wake(nothing(position, true));
  else if (seen.changes.length > 0) wake(seen);
  else waiter.position = page.next;
}

/** `undefined` if the page does not hold the position: the catalog was restored. */
function behind(position: ChangePosition, page: ChangePage, shared: ChangePage): ChangePage | undefined {
  if (!page.changes.some((change) => isSamePosition(change.position, position))) return undefined;
  return { ...partOf(shared, (change) => change.position.number > position.number), start: position };
}

function partOf(page: ChangePage, isSeen: (change: Change) => boolean): ChangePage {
  return { ...page, changes: page.changes.filter(isSeen) };
}

function nothing(position: ChangePosition, more: boolean): ChangePage {
  return { start: position, changes: [], next: position, more };
}
