/** Reports that nothing has happened for a time. */
export class StallTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly onStall: () => void,
  ) {}

  /** Starts to count, from zero. */
  restart(): void {
    if (this.timer === undefined) this.timer = setTimeout(this.onStall, this.limitMs);
    else this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
