import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Reads a value repeatedly until it is as expected, for effects of other processes.
 *
 * @returns the last value: the expected one or, after the deadline, one for the test to report
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isExpected: (seen: T) => boolean,
  deadlineMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (isExpected(seen) || performance.now() > deadline) return seen;
    await delay(LOOK_EVERY_MS);
  }
}
