export class StallTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly onStall: () => void,
  ) {}

  restart(): void {
    if (this.timer === undefined) this.timer = setTimeout(this.onStall, this.limitMs);
    else this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
