import type { Clock } from '../../../web/src/clock.ts';
import { settled } from './gate.ts';

/** Passes when a test says so. */
export class ManualTime implements Clock {
  #now = 0;
  #runs: ReadonlyArray<{ readonly at: number; readonly run: () => void }> = [];

  readonly now = (): number => this.#now;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const waiting = { at: this.#now + ms, run };
    this.#runs = [...this.#runs, waiting];
    return () => {
      this.#runs = this.#runs.filter((other) => other !== waiting);
    };
  };

  /** As a device does whose timers stand still while it sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#runs.filter(({ at }) => at <= this.#now);
    this.#runs = this.#runs.filter((waiting) => !due.includes(waiting));
    for (const { run } of due) run();
    await settled();
  }
}
