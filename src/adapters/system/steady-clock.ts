import type { Clock } from '../../domain/ports/process/clock.ts';

/** Goes on from the start of the process, however the system's clock is set. It may stand still while the machine sleeps. */
export class SteadyClock implements Clock {
  now(): Date {
    return new Date(performance.timeOrigin + performance.now());
  }
}
