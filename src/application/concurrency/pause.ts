import type { Timer } from '../../domain/ports/process/timer.ts';

/** Resolves after this time, or when it is ended. */
export async function pause(timer: Timer, ms: number, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      ended.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timer(ms, end);
    ended.addEventListener('abort', end);
  });
}
