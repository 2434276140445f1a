import type { Clock } from '../../../src/domain/ports/process/clock.ts';

/** Stops until a test moves it; a negative step sets it back, as operators and NTP do. */
export class ManualClock implements Clock {
  #milliseconds: number;

  constructor(start: Date = new Date('2026-01-31T12:00:00.000Z')) {
    this.#milliseconds = start.getTime();
  }

  now(): Date {
    return new Date(this.#milliseconds);
  }

  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
