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
 * The requests whose responses have not ended, in an array without holes. V8 links each outgrown table of a `Set` or `Map` to the next
 * one: when such a table is garbage that only a full collection frees, all later tables and their requests stay with it.
 */
export class RequestsUnderWay {
  private readonly running: RunningRequest[] = [];
  private arrived = 0;
  private longOnes: NamedRequest[] = [];

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
}
