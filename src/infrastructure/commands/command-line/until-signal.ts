import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import { firstSignal } from './first-signal.ts';

interface Stop {
  readonly signal: AbortSignal;
  /** As shells report the signal that was received; `undefined` if there was none. */
  exitCode(): number | undefined;
}

/** A second signal ends the process at once. */
export function stopOnSignal(): Stop {
  const controller = new AbortController();
  // Node.js warns of more than ten, and each job has some.
  setMaxListeners(0, controller.signal);
  let exitCode: number | undefined;
  void firstSignal().then((signal) => {
    exitCode = 128 + constants.signals[signal];
    controller.abort();
  });
  return { signal: controller.signal, exitCode: () => exitCode };
}

/**
 * Resolves to the result of the work, or if a signal has made it fail, to the exit code of the signal.
 *
 * @param explanation printed in this case
 */
export async function untilSignal(
  work: (stop: Stop) => Promise<number>,
  explanation?: string,
): Promise<number> {
  const stop = stopOnSignal();
  try {
    return await work(stop);
  } catch (error) {
    const exitCode = stop.exitCode();
    if (exitCode === undefined) throw error;
    if (explanation !== undefined) console.error(explanation);
    return exitCode;
  }
}
