import { v4 } from 'uuid';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';

export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }
}

/** Goes on from the start of the process, however the system's clock is set. It may stand still while the machine sleeps. */
export class SteadyClock implements Clock {
  now(): Date {
    return new Date(performance.timeOrigin + performance.now());
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
};

export class RandomUuids implements UuidGenerator {
  next(): BlobKey {
    return v4() as BlobKey;
  }
}
