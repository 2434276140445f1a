interface Run {
  readonly subject: string;
  readonly since: number;
}

interface Use {
  readonly subject: string;
  readonly ms: number;
  readonly until: number;
}

const WINDOW_MS = 60_000;

/** The decoder time that each subject has used in the last minute. */
export class DecoderTime {
  private readonly runs = new Set<Run>();
  /** The oldest first. */
  private readonly uses: Use[] = [];
  private readonly sums = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Returns what ends the use of a decoder. */
  begin(subject: string): () => void {
    const run = { subject, since: this.nowMs() };
    this.runs.add(run);
    return () => {
      this.runs.delete(run);
      const now = this.nowMs();
      // Nothing may be compared for days, and what is left by then would take minutes to forget.
      this.forgetBefore(now);
      const ms = now - run.since;
      this.uses.push({ subject, ms, until: now + WINDOW_MS });
      this.sums.set(subject, this.sumOf(subject) + ms);
    };
  }

  /** Negative if `a` has used less. */
  compare(a: string, b: string): number {
    const now = this.nowMs();
    this.forgetBefore(now);
    return this.usedMs(a, now) - this.usedMs(b, now);
  }

  private usedMs(subject: string, now: number): number {
    const runs = [...this.runs].filter((run) => run.subject === subject);
    return runs.reduce((sum, { since }) => sum + now - since, this.sumOf(subject));
  }

  private sumOf(subject: string): number {
    return this.sums.get(subject) ?? 0;
  }

  private forgetBefore(now: number): void {
    for (let use = this.uses[0]; use !== undefined && use.until <= now; use = this.uses[0]) {
      this.uses.shift();
      const left = this.sumOf(use.subject) - use.ms;
      // Rounding may leave a little of the last use.
      if (left > 1e-6) this.sums.set(use.subject, left);
      else this.sums.delete(use.subject);
    }
  }
}
