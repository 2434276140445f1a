import type { Timer } from '../../domain/ports/process/timer.ts';
import { runWithin } from './run-within.ts';

/** Resolves after this time, or when it is ended. */
export async function pause(timer: Timer, ms: number, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return;
  await runWithin(timer, { ms, ended }, async (over) => {
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  });
}
