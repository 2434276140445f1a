import type { LogDestination } from './open-log-destination.ts';

/**
 * If the process was suspended for a second, one long timer would end before it notices that the reader has caught up. Ten short ones
 * do not.
 */
const STEP_MS = 100;
const MAX_STEPS = 10;

/** Resolves to `false` if a thread still waits for the reader: the process cannot exit before it. */
export async function flushLog(destination: LogDestination): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    let steps = 0;
    const interval = setInterval(() => {
      steps += 1;
      if (steps === MAX_STEPS) finish(false);
    }, STEP_MS);
    const finish = (isFlushed: boolean): void => {
      clearInterval(interval);
      resolve(isFlushed);
    };
    // Twice: while a write is under way, the first one resolves with its end, and newer lines still wait.
    destination.flush(() => destination.flush(() => finish(true)));
  });
}
