/** Fit for the log: a template such as `GET /api/image/:id`, which has no token, ticket or MAC. */
export interface NamedRequest {
  readonly route: string;
  readonly requestId: string;
}

/** Called rarely: most requests are never named. */
export type NameRequest = () => NamedRequest;

const MAX_NAMES = 20;
/** A request that held the event loop for longer than this has also lasted as long. */
const LONG_MS = 100;

/** The requests whose responses have not ended. */
export class RequestsUnderWay {
  private readonly running = new Set<NameRequest>();
  private longOnes: NamedRequest[] = [];

  get size(): number {
    return this.running.size;
  }

  began(name: NameRequest): void {
    this.running.add(name);
  }

  ended(name: NameRequest, durationMs: number): void {
    this.running.delete(name);
    if (durationMs >= LONG_MS && this.longOnes.length < MAX_NAMES) this.longOnes.push(name());
  }

  /** Those that may have held the event loop since `forgetEnded`: long ones that have ended, then the latest that run. 20 at most. */
  names(): readonly NamedRequest[] {
    const latest = [...this.running].slice(-MAX_NAMES).toReversed();
    return [...this.longOnes, ...latest.map((name) => name())].slice(0, MAX_NAMES);
  }

  forgetEnded(): void {
    if (this.longOnes.length > 0) this.longOnes = [];
  }
}
