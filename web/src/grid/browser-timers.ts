import type { GridTimers } from './grid-model.ts';

export const browserTimers: GridTimers = {
  onFrame: (run) => void requestAnimationFrame(run),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
