import type { Clock } from '../../../domain/ports/process/clock.ts';

/** The longest wait of a refused fetch, in milliseconds. */
export const FETCH_SPACING_MS = 20_000;

/**
 * A leaky bucket: 3 fetches at once, then one every 20 s. The provider sees at most 3 in any 20 s, 4 in any 40 s, 5 in any 60 s.
 *
 * Fetches do not overlap: `end` follows each `begin` that returned `true`; with `false`, no fetch may start.
 */
export class FetchRateLimiter {
  /** Ms until the bucket is empty. */
  private fill = 0;
  private measuredAt = 0;

  constructor(private readonly clock: Clock) {}

  begin(): boolean {
    return this.leak() <= 2 * FETCH_SPACING_MS;
  }

  /** Fills the bucket only now: the provider may have received the fetch at any moment until its end. */
  end(): void {
    this.fill = this.leak() + FETCH_SPACING_MS;
  }

  /** Nothing leaks when the clock is set back. */
  private leak(): number {
    const now = this.clock.now().getTime();
    this.fill = Math.max(0, this.fill - Math.max(0, now - this.measuredAt));
    this.measuredAt = now;
    return this.fill;
  }
}
