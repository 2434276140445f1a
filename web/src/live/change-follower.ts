import type { Change } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { hasCode } from '../base/has-code.ts';

/** The part of the client that reads the feed. */
export interface ChangeFeed {
  changes(options: {
    readonly after: string | undefined;
    readonly include: 'image';
    readonly signal: AbortSignal;
  }): AsyncIterable<Change>;
}

export interface FollowerEvents {
  /** Changes in their order, some at a time. */
  readonly onChanges: (changes: readonly Change[]) => void;
  /** The feed does not reach back far enough. Resolves to the cursor from which it can be followed. */
  readonly onExpired: () => Promise<string | undefined>;
  /** It cannot be read until `follow` is called again. */
  readonly onFailed: () => void;
}

/** An upload of many files is drawn a few times a second, not once per file. */
const BATCH_MS = 200;

/** Reads the feed of changes while the page is seen. What fails ends it without a word, until `follow`. */
export class ChangeFollower {
  readonly #feed: ChangeFeed;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #events: FollowerEvents;
  /** Of the last change that was read. */
  #cursor: string | undefined;
  /** From which it was followed after the last expiry. */
  #restart: string | undefined;
  #abort: AbortController | undefined;
  #batch: Change[] = [];

  constructor(feed: ChangeFeed, clock: Pick<Clock, 'after'>, events: FollowerEvents) {
    this.#feed = feed;
    this.#clock = clock;
    this.#events = events;
  }

  /**
   * Also reads what has happened since it was paused.
   *
   * @param cursor where to begin, if the feed was not followed before
   * @returns whether it begins to read: it is not read already, and knows where to begin
   */
  follow(cursor: string | undefined): boolean {
    this.#cursor ??= cursor;
    if (this.#cursor === undefined || this.#abort !== undefined) return false;
    this.#abort = new AbortController();
    void this.#run(this.#abort);
    return true;
  }

  pause(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #run(abort: AbortController): Promise<void> {
    try {
      while (this.#cursor !== undefined) await this.#read(this.#cursor, abort.signal);
    } catch {
      // Only what others do until then is missing on the page.
    }
    // It was paused, and may be followed again by now.
    if (this.#abort !== abort) return;
    this.#abort = undefined;
    this.#events.onFailed();
  }

  /** Returns if the cursor has expired. */
  async #read(after: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const change of this.#feed.changes({ after, include: 'image', signal })) this.#take(change);
      throw new TypeError('The feed has ended');
    } catch (error) {
      signal.throwIfAborted();
      // Not again and again: the service may not know its own cursors.
      if (!hasCode(error, 'cursor_expired') || after === this.#restart) throw error;
      this.#restart = await this.#events.onExpired();
      this.#cursor = this.#restart;
    }
  }

  #take(change: Change): void {
    this.#cursor = change.cursor;
    this.#batch.push(change);
    if (this.#batch.length === 1) this.#clock.after(BATCH_MS, () => this.#flush());
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#events.onChanges(batch);
  }
}
