/** Bounds work at a time: half as much after each refusal of a busy service, one more after a full round of successes. */
export class AdaptiveLimit {
  readonly #max: number;
  #limit: number;
  #running = 0;
  #successes = 0;
  #round = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(max: number) {
    this.#max = max;
    this.#limit = max;
  }

  get current(): number {
    return this.#limit;
  }

  /** Rises with each refusal that counts. */
  get round(): number {
    return this.#round;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running >= this.#limit) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#wake();
    }
  }

  succeeded(): void {
    this.#successes += 1;
    if (this.#successes < this.#limit || this.#limit >= this.#max) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#wake();
  }

  /**
   * Refusals of one burst count once.
   *
   * @param round in which the refused work began
   */
  refused(round: number): void {
    if (round !== this.#round) return;
    this.#round += 1;
    this.#successes = 0;
    this.#limit = Math.max(1, Math.ceil(this.#limit / 2));
  }

  #wake(): void {
    for (let free = this.#limit - this.#running; free > 0; free -= 1) this.#waiting.shift()?.();
  }
}
