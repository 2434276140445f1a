import type { Timer } from '../../domain/ports/process/timer.ts';
import { boundedWait, type WaitBound } from './bounded-wait.ts';

/** The signal of `run` aborts at the end of the bound. */
export async function runWithin<T>(
  timer: Timer,
  bound: WaitBound,
  run: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const wait = boundedWait(timer, bound);
  try {
    return await run(wait.signal);
  } finally {
    wait.end();
  }
}
