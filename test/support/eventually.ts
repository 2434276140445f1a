import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Looks again and again until what it sees is as expected, for what another process does in its own time.
 *
 * @returns what it saw last: as expected or, after the deadline, for the test to say how it differs
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
