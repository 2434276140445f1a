import type { Timer } from '../../domain/ports/process/timer.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
};
