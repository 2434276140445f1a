import type { Clock } from '../../../domain/ports/process/clock.ts';

/** The longest wait of a refused fetch, in milliseconds. */
export const FETCH_SPACING_MS = 20_000;

/**
 * A leaky bucket: 3 fetches at once, then one every 20 s. The provider sees at most 3 in any 20 s, 4 in any 40 s, 5 in any 60 s.
 *
 * Fetches do not overlap: `end` follows each `begin` that returned `true`.
 */
export class FetchRateLimiter {
  /** Ms until the bucket is empty. */
  private fill = 0;
  private measuredAt = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns `false` if no fetch may start now. */
  begin(): boolean {
    this.leak();
    return this.fill <= 2 * FETCH_SPACING_MS;
  }

  /** Fills the bucket only now: the provider may have received the fetch at any moment until its end. */
  end(): void {
    this.leak();
    this.fill += FETCH_SPACING_MS;
  }

  /** While the clock is set back, nothing leaks. */
  private leak(): void {
    const now = this.clock.now().getTime();
    this.fill = Math.max(0, this.fill - Math.max(0, now - this.measuredAt));
    this.measuredAt = now;
  }
}
