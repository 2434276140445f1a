import type { Clock } from '../../domain/ports/clock.ts';

export interface FetchLimits {
  /** Milliseconds over which fetches are counted. */
  readonly windowMs: number;
  /** At most this many fetches in any window. */
  readonly perWindow: number;
  /** Milliseconds after which one more fetch is always allowed; more than 0. */
  readonly spacingMs: number;
  /** So many useless fetches in a window, and every further fetch waits for the spacing. */
  readonly uselessBurst: number;
}

/**
 * When the next fetch of signing keys may start, given that strangers decide how often one is wanted.
 *
 * Two promises hold together: never more than `perWindow` fetches in any window as the provider sees it, and never longer
 * than the spacing until one more is allowed, so that a key published now works by then at the latest. A burst must leave
 * room for the spaced fetches after it for both to hold: of 5 in 60 s, 4 may fall in 40 s, and 3 in 20 s. Only while every
 * fetch brings what it was made for, which strangers cannot bring about, may they all follow each other at once: a
 * provider that rotates its keys several times in a row.
 *
 * One fetch at a time: every `begin` that allows is followed by one `end`.
 */
export class FetchBudget {
  /** Ends of fetches, in ms of the clock: whatever the network did, the provider saw them no later than that. */
  #ends: number[] = [];
  #uselessEnds: number[] = [];
  #lastStart = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly limits: FetchLimits,
  ) {}

  /** Takes one fetch out of the budget; `false` where none may start now. */
  begin(): boolean {
    const now = this.clock.now().getTime();
    this.#forget(now);
    if (!this.#hasRoom(now) || this.#mustWait(now)) return false;
    this.#lastStart = now;
    return true;
  }

  /** @param useful whether the fetch brought what it was made for */
  end(useful: boolean): void {
    const now = this.clock.now().getTime();
    this.#ends.push(now);
    if (!useful) this.#uselessEnds.push(now);
  }

  /** Where the clock was set back, what seems to lie ahead counts as just over: it must not block for long. */
  #forget(now: number): void {
    const recent = (times: number[]): number[] =>
      times.filter((time) => now - time < this.limits.windowMs).map((time) => Math.min(time, now));
    this.#ends = recent(this.#ends);
    this.#uselessEnds = recent(this.#uselessEnds);
    this.#lastStart = Math.min(this.#lastStart, now);
  }

  #hasRoom(now: number): boolean {
    const { windowMs, perWindow, spacingMs } = this.limits;
    if (this.#uselessEnds.length === 0) return this.#ends.length < perWindow;
    for (let span = windowMs, allowed = perWindow; span > 0; span -= spacingMs, allowed -= 1) {
      const past = this.#ends.filter((end) => now - end < span).length;
      if (past + 1 > allowed) return false;
    }
    return true;
  }

  #mustWait(now: number): boolean {
    return (
      this.#uselessEnds.length >= this.limits.uselessBurst && now - this.#lastStart < this.limits.spacingMs
    );
  }
}
