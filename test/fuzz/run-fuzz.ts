import type { RunDetails } from 'fast-check';
import * as fc from 'fast-check';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { FuzzClient, type Outcome } from './fuzz-client.ts';
import { fuzzPictures, MAX_FILE_BYTES, MAX_PIXELS } from './fuzz-pictures.ts';
import { type FuzzRequest, fuzzRequest } from './requests.ts';

export interface FuzzOptions {
  readonly requests: number;
  /** The same seed gives the same requests. */
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

/**
 * How much the RSS may grow between the warm-up and the end. V8 and the allocator take and free some tens of MiB,
 * whatever the number of requests; in a run of 100,000 a leak of 1 KiB for each is 80 MiB or more.
 */
export const RSS_GROWTH_BYTES = 64 * 1024 * 1024;

export interface FuzzReport {
  /** Requests by the status of their responses; `none` if the client disconnected or required no response. */
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** For each request that violated the contract, shrunk as far as possible: the problem and how to repeat it. */
  readonly failures: readonly string[];
  readonly errorsLogged: readonly unknown[];
  readonly stderr: string;
  readonly orphans: readonly string[];
  /** Medians, in bytes: after the warm-up (between 10 and 20 % of the requests) and over the last 10 %. */
  readonly rss: { readonly warm: number; readonly end: number; readonly byTenth: readonly number[] };
  /** Descriptors of the idle service. */
  readonly openFiles: { readonly before: number; readonly after: number };
}

/** Concurrent clients. Each derives its own sequence from the seed, so that the sum does not depend on timing. */
const CLIENTS = 8;
const SAMPLES = 200;
/** Requests of each client that are tried again after a failure: a response may precede the crash that it causes. */
const SUSPECTS = 3;
/** The maximum number of requests for shrinking one suspect. */
const SHRINK_BUDGET = 300;

/** Sends generated requests to its own service process and checks the responses against the contract. */
/** The first use of a database connection may come after the count: file, WAL and its index. */
const DATABASE_CONNECTION_FILES = 3;
/** A second reader, and those that count. */
const LATE_CONNECTIONS = 3;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const catalog = await RunningCatalog.start({
    env: {
      UPLOAD_MAX_BYTES: String(MAX_FILE_BYTES),
      UPLOAD_MAX_PIXELS: String(MAX_PIXELS),
      INPUT_FORMATS: 'jpeg,png,webp,gif',
      RENDITION_SIZES: '16,32,64,128',
    },
  });
  try {
    return await new Fuzz(catalog, options).run();
  } finally {
    await catalog.stop();
  }
}

/** A request by its place in the sequence of its client. */
interface Suspect {
  readonly seed: number;
  readonly index: number;
}

class Fuzz {
  private readonly outcomes = new Map<Outcome, number>();
  private readonly samples: number[] = [];
  private readonly failures: string[] = [];
  private done = 0;
  private failed = false;
  private readonly suspects: Suspect[] = [];
  /** Of processes that have ended. */
  private stderr = '';
  private pictures!: Awaited<ReturnType<typeof fuzzPictures>>;

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly options: FuzzOptions,
  ) {}

  async run(): Promise<FuzzReport> {
    const { catalog } = this;
    this.pictures = await fuzzPictures();
    // What is opened at first use is open then.
    for (const path of ['api/images', 'api/image/1']) await (await catalog.request(path)).text();
    const before = catalog.openFiles() + LATE_CONNECTIONS * DATABASE_CONNECTION_FILES;
    await Promise.all(Array.from({ length: CLIENTS }, async (_, index) => await this.runClient(index)));
    if (this.failed) await this.findCulprits();
    return {
      outcomes: this.outcomes,
      failures: this.failures,
      orphans: await catalog.leftovers(),
      errorsLogged: catalog.errors(),
      stderr: this.stderr + catalog.process.stderr,
      rss: this.rss(),
      openFiles: { before, after: await catalog.idleOpenFiles(before) },
    };
  }

  private async runClient(index: number): Promise<void> {
    const { requests, seed } = this.options;
    const clientSeed = seed * CLIENTS + index;
    const numRuns = Math.floor(requests / CLIENTS) + (index < requests % CLIENTS ? 1 : 0);
    if (numRuns === 0) return;
    const client = new FuzzClient(this.catalog, this.pictures);
    let next = 0;
    const property = fc.asyncProperty(fuzzRequest, async (request) => {
      if (this.failed) return;
      next += 1;
      try {
        this.count(await client.send(request));
      } catch (error) {
        this.failed = true;
        throw error;
      }
    });
    const details = await fc.check(property, { seed: clientSeed, numRuns, endOnFailure: true });
    client.close();
    if (details.failed) this.failures.push(describe(details));
    for (let last = next - 1; last >= Math.max(0, next - SUSPECTS); last -= 1) {
      this.suspects.push({ seed: clientSeed, index: last });
    }
  }

  /** Tries each suspect alone, after a crash with a new process, so that the right request is blamed. */
  private async findCulprits(): Promise<void> {
    for (const { seed, index } of this.suspects) {
      let budget = SHRINK_BUDGET;
      const property = fc.asyncProperty(fuzzRequest, async (request) => {
        budget -= 1;
        if (budget >= 0) await this.sendAlone(request);
      });
      const details = await fc.check(property, { seed, path: String(index), numRuns: 1 });
      if (details.failed) this.failures.unshift(`ALONE AS WELL: ${describe(details)}`);
    }
    await this.restartWhereEnded();
  }

  private async sendAlone(request: FuzzRequest): Promise<void> {
    await this.restartWhereEnded();
    const client = new FuzzClient(this.catalog, this.pictures);
    try {
      await client.send(request);
    } finally {
      client.close();
    }
    if (!(await this.responds())) throw new Error('The service ends');
  }

  private async restartWhereEnded(): Promise<void> {
    if (await this.responds()) return;
    await this.catalog.process.stop('SIGKILL');
    this.stderr += this.catalog.process.stderr;
    await this.catalog.restart();
  }

  private async responds(): Promise<boolean> {
    return await this.catalog.request('').then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private count(outcome: Outcome): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.done += 1;
    this.options.onProgress?.(this.done);
    if (this.done % Math.ceil(this.options.requests / SAMPLES) === 0) this.samples.push(this.catalog.rss());
  }

  private rss(): FuzzReport['rss'] {
    const tenth = this.samples.length / 10;
    const byTenth = Array.from({ length: 10 }, (_, index) =>
      median(this.samples.slice(Math.floor(index * tenth), Math.ceil((index + 1) * tenth))),
    );
    return { warm: byTenth[1] ?? 0, end: byTenth[9] ?? 0, byTenth };
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function describe({
  counterexample,
  errorInstance,
  counterexamplePath,
  seed,
  numShrinks,
}: RunDetails<[FuzzRequest]>): string {
  const error = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${error}\n  ${fc.stringify(counterexample?.[0])}\n  fast-check seed ${seed}, path ${counterexamplePath}, ${numShrinks} shrinks`;
}
