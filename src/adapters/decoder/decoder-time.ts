interface Use {
  readonly subject: string;
  readonly ms: number;
  readonly until: number;
}

const WINDOW_MS = 60_000;

/** The decoder time that each subject has used in the last minute. */
export class DecoderTime {
  /** The oldest first. */
  private readonly uses: Use[] = [];
  private readonly sums = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  add(subject: string, ms: number): void {
    this.uses.push({ subject, ms, until: this.nowMs() + WINDOW_MS });
    this.sums.set(subject, this.of(subject) + ms);
  }

  /** In ms. */
  of(subject: string): number {
    this.forget();
    return this.sums.get(subject) ?? 0;
  }

  private forget(): void {
    const now = this.nowMs();
    for (let use = this.uses[0]; use !== undefined && use.until <= now; use = this.uses[0]) {
      this.uses.shift();
      const left = (this.sums.get(use.subject) ?? 0) - use.ms;
      // Rounding may leave a little of the last use.
      if (left > 1e-6) this.sums.set(use.subject, left);
      else this.sums.delete(use.subject);
    }
  }
}
