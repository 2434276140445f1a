import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Load } from './jobs.ts';
import { percentile } from './statistics.ts';

/** A run ends after this many errors. */
const MAX_ERRORS = 5;

/** Sends the requests of one run over connections of its own, and counts their responses. */
export class Tally {
  readonly #pool: Pool;
  readonly #begun = performance.now();
  readonly #latencies: number[] = [];
  readonly #etags = new Set<string>();
  readonly #errors: string[] = [];
  #bytes = 0;

  constructor(
    url: string,
    private readonly connections: number,
  ) {
    this.#pool = new Pool(new URL(url).origin, { connections, pipelining: 1 });
  }

  isWithin(seconds = Number.POSITIVE_INFINITY): boolean {
    return this.#errors.length < MAX_ERRORS && performance.now() - this.#begun < seconds * 1000;
  }

  /** Runs one worker per connection. A worker sends its next request after the response to its last one. */
  async during(work: () => Promise<void>): Promise<Load> {
    await Promise.all(Array.from({ length: this.connections }, work));
    const seconds = (performance.now() - this.#begun) / 1000;
    await this.#pool.close();
    return this.#load(seconds);
  }

  /** Resolves at the end of the response. */
  async send(request: Dispatcher.RequestOptions, status: number): Promise<void> {
    const begun = performance.now();
    await this.#exchange(request, status);
    this.#latencies.push(performance.now() - begun);
  }

  /** Uploads, and gets the path behind the `Location` of the response. Both count as one request. */
  async sendAndView(upload: Dispatcher.RequestOptions, view: string): Promise<void> {
    const begun = performance.now();
    const location = await this.#exchange(upload, 201);
    if (location === undefined) return;
    const { authorization } = upload.headers as Record<string, string>;
    await this.#exchange({ path: location + view, method: 'GET', headers: { authorization } }, 200);
    this.#latencies.push(performance.now() - begun);
  }

  /**
   * `dispatch` is used because it makes no stream of the body, which is only counted.
   *
   * @returns the `Location` of the response
   */
  async #exchange(request: Dispatcher.RequestOptions, status: number): Promise<string | undefined> {
    let location: string | undefined;
    await new Promise<void>((resolve) => {
      this.#pool.dispatch(request, {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode, headers) => {
          location = headers.location as string | undefined;
          this.#inspect(statusCode, headers, status);
        },
        onResponseData: (_controller, chunk) => {
          this.#bytes += chunk.length;
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => {
          this.#errors.push(String(error));
          resolve();
        },
      });
    });
    return location;
  }

  #inspect(statusCode: number, { etag }: IncomingHttpHeaders, expected: number): void {
    if (statusCode !== expected) this.#errors.push(`${statusCode} instead of ${expected}`);
    if (typeof etag === 'string') this.#etags.add(etag);
  }

  #load(seconds: number): Load {
    return {
      requests: this.#latencies.length,
      seconds,
      latency: {
        p50: percentile(this.#latencies, 0.5),
        p95: percentile(this.#latencies, 0.95),
        p99: percentile(this.#latencies, 0.99),
      },
      bytes: this.#bytes,
      etags: [...this.#etags],
      found: 0,
      errors: this.#errors,
    };
  }
}
