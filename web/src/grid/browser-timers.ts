import { systemClock } from '../base/clock.ts';
import type { GridTimers } from './grid-model.ts';

export const browserTimers: GridTimers = {
  ...systemClock,
  onFrame: (run) => void requestAnimationFrame(run),
};
