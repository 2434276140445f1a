import type { Clock } from '../../../domain/ports/process/clock.ts';

/** The longest wait of a refused fetch, in milliseconds. */
export const FETCH_SPACING_MS = 20_000;

const LIMITS = [
  { windowMs: FETCH_SPACING_MS, fetches: 3 },
  { windowMs: 2 * FETCH_SPACING_MS, fetches: 4 },
  { windowMs: 3 * FETCH_SPACING_MS, fetches: 5 },
] as const;

const LONGEST_WINDOW_MS = 3 * FETCH_SPACING_MS;

/**
 * The provider sees at most 5 fetches in any 60 s; a refused fetch is allowed 20 s later at most.
 *
 * Each window is one spacing longer than the one before and allows one fetch more, so one spacing after a fetch every
 * window has room.
 *
 * Fetches do not overlap: `end` follows each `begin` that returned `true`.
 */
export class FetchRateLimiter {
  /** End times of recent fetches in ms, ascending. The provider may receive a request at any moment until its fetch ends. */
  private ends: readonly number[] = [];

  constructor(private readonly clock: Clock) {}

  /** Returns `false` if no fetch may start now. */
  begin(): boolean {
    const now = this.clock.now().getTime();
    this.ends = shiftedInto(this.ends, now).filter((end) => now - end < LONGEST_WINDOW_MS);
    return LIMITS.every(
      ({ windowMs, fetches }) => this.ends.filter((end) => now - end < windowMs).length < fetches,
    );
  }

  end(): void {
    const now = this.clock.now().getTime();
    this.ends = [...shiftedInto(this.ends, now), now];
  }
}

/** After the clock is set back, past ends seem to lie ahead. All move by the same amount. */
function shiftedInto(ends: readonly number[], now: number): readonly number[] {
  const ahead = Math.max(0, (ends.at(-1) ?? now) - now);
  return ends.map((end) => end - ahead);
}
