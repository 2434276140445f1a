interface Step {
  readonly end: number;
  readonly sums: Map<string, number>;
}

/** How long each holder has held decoders in the last `windowMs`. Time is summed up in steps, so the window is exact to a step. */
export class HeldTime {
  private readonly decoders = new Map<string, number>();
  /** The oldest first. */
  private readonly steps: Step[] = [];
  private readonly sums = new Map<string, number>();
  private counted = 0;

  /** @param stepMs a whole number */
  constructor(
    private readonly windowMs: number,
    private readonly stepMs: number,
  ) {}

  /** To be called after `passTime`, as `release`. */
  hold(holder: string): void {
    add(this.decoders, holder, 1);
  }

  release(holder: string): void {
    add(this.decoders, holder, -1);
  }

  /** Milliseconds, up to the last call of `passTime`. Two decoders held for a second are two seconds. */
  of(holder: string): number {
    return this.sums.get(holder) ?? 0;
  }

  /** To be called before each change of what is held. */
  passTime(nowMs: number): void {
    // Nothing may have been held for days.
    let from = this.decoders.size > 0 ? Math.max(this.counted, nowMs - this.windowMs) : nowMs;
    while (from < nowMs) {
      const step = this.stepAt(from);
      const until = Math.min(step.end, nowMs);
      for (const [holder, count] of this.decoders) {
        add(step.sums, holder, count * (until - from));
        add(this.sums, holder, count * (until - from));
      }
      from = until;
    }
    this.counted = nowMs;
    this.forgetBefore(nowMs - this.windowMs);
  }

  private stepAt(ms: number): Step {
    const last = this.steps.at(-1);
    if (last !== undefined && last.end > ms) return last;
    const step = { end: (Math.floor(ms / this.stepMs) + 1) * this.stepMs, sums: new Map<string, number>() };
    this.steps.push(step);
    return step;
  }

  private forgetBefore(ms: number): void {
    for (let step = this.steps[0]; step !== undefined && step.end <= ms; step = this.steps[0]) {
      this.steps.shift();
      for (const [holder, sum] of step.sums) add(this.sums, holder, -sum);
    }
  }
}

/** Rounding may leave a little of a sum that has come to nothing. */
const ROUNDING = 1e-6;

function add(sums: Map<string, number>, holder: string, more: number): void {
  const sum = (sums.get(holder) ?? 0) + more;
  if (sum > ROUNDING) sums.set(holder, sum);
  else sums.delete(holder);
}
