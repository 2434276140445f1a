import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';

/** `process.exit` waits for every thread of libuv's pool, and a call that a disk blocks cannot be interrupted. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Reached only as process 1 of a container: the kernel ignores signals without a listener there, SIGKILL included.
  process.abort();
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** A second signal ends the process at once. */
export async function firstSignal(): Promise<(typeof SIGNALS)[number]> {
  return await new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        resolve(signal);
        for (const second of SIGNALS) process.on(second, () => endBySignal(second));
      });
    }
  });
}

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
