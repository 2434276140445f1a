import type { Clock } from '../../domain/ports/process/clock.ts';

export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }
}
