import type { Timer } from '../../domain/ports/process/timer.ts';

/** The signal of `run` is aborted after this time, and with `ended`. */
export async function runWithin<T>(
  timer: Timer,
  ms: number,
  ended: AbortSignal,
  run: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const cancel = timer(ms, end);
  if (ended.aborted) end();
  ended.addEventListener('abort', end);
  try {
    return await run(over.signal);
  } finally {
    cancel();
    ended.removeEventListener('abort', end);
  }
}
