import type { LogDestination } from './open-log-destination.ts';

const FLUSH_MS = 1_000;

/** Resolves to `false` if a thread still waits for the reader: the process cannot exit before it. */
export async function flushLog(destination: LogDestination): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const timeout = setTimeout(resolve, FLUSH_MS, false);
    // Twice: while a write is under way, the first one resolves with its end, and newer lines still wait.
    destination.flush(() =>
      destination.flush(() => {
        clearTimeout(timeout);
        resolve(true);
      }),
    );
  });
}
