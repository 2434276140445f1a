export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls `run` once.
   *
   * @returns a function that cancels the call
   */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay of `setTimeout`; a longer one would run at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
