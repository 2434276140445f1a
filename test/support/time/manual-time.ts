import { settled } from './gate.ts';

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

/** The clock of the gallery: it stands still until a test lets time pass. */
export class ManualTime {
  #now = 0;
  #waiting: readonly Waiting[] = [];

  readonly now = (): number => this.#now;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const waiting = { at: this.#now + ms, run };
    this.#waiting = [...this.#waiting, waiting];
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  };

  /** As a device does whose timers stand still while it sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** As `pass`; resolves when promises that depend on it have settled. */
  async settle(ms: number): Promise<void> {
    this.pass(ms);
    await settled();
  }

  /** Calls what is due in the order of time, also what is added on the way. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.run();
    }
    this.#now = end;
  }

  #next(end: number): Waiting | undefined {
    return this.#waiting
      .filter(({ at }) => at <= end)
      .reduce<Waiting | undefined>(
        (first, other) => (first !== undefined && first.at <= other.at ? first : other),
        undefined,
      );
  }
}
