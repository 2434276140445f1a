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

interface RunningRequest {
  readonly name: NameRequest;
  /** Of its arrival. */
  readonly number: number;
  place: number;
}

/**
 * The requests whose responses have not ended, in an array without holes: V8 links each outgrown table of a `Set` or `Map` to the next
 * one, and when such a table is garbage that only a full collection frees, all later tables and their requests stay with it. Also
 * counts the requests that are handled, because some outlast their responses.
 */
export class RequestsUnderWay {
  private readonly running: RunningRequest[] = [];
  private arrived = 0;
  private longOnes: NamedRequest[] = [];
  private handled = 0;
  private onIdle: (() => void) | undefined;

  /** How many responses have not ended. */
  get size(): number {
    return this.running.length;
  }

  /** Returns what `ended` takes. */
  began(name: NameRequest): RunningRequest {
    this.arrived += 1;
    const request = { name, number: this.arrived, place: this.running.length };
    this.running.push(request);
    return request;
  }

  ended(request: RunningRequest, durationMs: number): void {
    const last = this.running.pop();
    if (last !== undefined && last !== request) {
      last.place = request.place;
      this.running[request.place] = last;
    }
    if (durationMs >= LONG_MS && this.longOnes.length < MAX_NAMES) this.longOnes.push(request.name());
  }

  /** Those that may have held the event loop since `forgetEnded`: long ones that have ended, then the latest that run. 20 at most. */
  names(): readonly NamedRequest[] {
    const latest = this.running.toSorted((a, b) => b.number - a.number).slice(0, MAX_NAMES);
    return [...this.longOnes, ...latest.map(({ name }) => name())].slice(0, MAX_NAMES);
  }

  forgetEnded(): void {
    if (this.longOnes.length > 0) this.longOnes = [];
  }

  /** Only counts it: a set would keep it alive. */
  handle(request: Promise<void>): void {
    this.handled += 1;
    void request.finally(() => {
      this.handled -= 1;
      if (this.handled === 0) this.onIdle?.();
    });
  }

  /** Resolves when no request is handled any more, also of clients that have left. */
  async idle(): Promise<void> {
    if (this.handled === 0) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
    });
  }
}
