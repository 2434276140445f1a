import type { RunDetails } from 'fast-check';
import * as fc from 'fast-check';
import { DescribedApi, type Description } from '../support/openapi/described-api.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { FuzzClient, type Outcome } from './fuzz-client.ts';
import { type FuzzOptions, fuzzInClients } from './fuzz-in-clients.ts';
import { fuzzPictures, LOW_LIMITS } from './fuzz-pictures.ts';
import { type FuzzRequest, fuzzRequest } from './requests.ts';

/**
 * How much the RSS may grow between the warm-up and the end. V8 and the allocator take and free some tens of MiB,
 * whatever the number of requests; in a run of 100,000 a leak of 1 KiB for each is 80 MiB or more.
 */
const RSS_GROWTH_MIB = 64;

export interface FuzzReport {
  /** Requests by the status of their responses; `none` if the client disconnected or required no response. */
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** Requests that violated the contract, shrunk as far as possible, and how to repeat them; what the service has left behind. */
  readonly problems: readonly string[];
  /** Medians, in MiB: after the warm-up (between 10 and 20 % of the requests) and over the last 10 %. */
  readonly rss: { readonly warm: number; readonly end: number };
  /** Descriptors of the idle service. */
  readonly openFiles: { readonly before: number; readonly after: number };
}

const MIB = 1024 * 1024;
const CLIENTS = 8;
const SAMPLES = 200;
/** Requests of each client that are tried again after a failure: a response may precede the crash that it causes. */
const SUSPECTS = 3;
/** The maximum number of requests for shrinking one suspect. */
const SHRINK_BUDGET = 300;

/** The first use of a database connection may come after the count: file, WAL and its index. */
const DATABASE_CONNECTION_FILES = 3;
/** A second reader, and those that count. */
const LATE_CONNECTIONS = 3;

/** Sends generated requests to its own service process and checks the responses against the contract. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const catalog = await RunningCatalog.start({ env: LOW_LIMITS });
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
  private api!: DescribedApi;

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly options: FuzzOptions,
  ) {}

  async run(): Promise<FuzzReport> {
    const { catalog } = this;
    this.pictures = await fuzzPictures();
    this.api = new DescribedApi((await (await catalog.request('api/openapi.json')).json()) as Description);
    // What is opened at first use is open then.
    for (const path of ['api/images', 'api/image/1']) await (await catalog.request(path)).text();
    const before = catalog.openFiles() + LATE_CONNECTIONS * DATABASE_CONNECTION_FILES;
    await fuzzInClients(CLIENTS, this.options, (plan) => this.runClient(plan));
    if (this.failed) await this.findCulprits();
    const openFiles = { before, after: await catalog.idleOpenFiles(before) };
    const rss = this.rss();
    const problems = [...this.failures, ...(await this.leftBehind())];
    if (openFiles.after > before) problems.push(`${openFiles.after} files are open, ${before} before`);
    if (rss.end - rss.warm >= RSS_GROWTH_MIB) problems.push(`the RSS grew by ${rss.end - rss.warm} MiB`);
    return { outcomes: this.outcomes, problems, rss, openFiles };
  }

  private async leftBehind(): Promise<readonly string[]> {
    const stderr = this.stderr + this.catalog.process.stderr;
    return [
      ...(await this.catalog.leftovers()).map((orphan) => `ORPHANED ${orphan}`),
      ...this.catalog.errors().map((error) => `LOGGED ${JSON.stringify(error)}`),
      ...(stderr === '' ? [] : [`STDERR ${stderr.slice(0, 5_000)}`]),
    ];
  }

  private async runClient({ numRuns, seed }: { numRuns: number; seed: number }): Promise<void> {
    const client = new FuzzClient(this.catalog, this.pictures, this.api);
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
    const details = await fc.check(property, { seed, numRuns, endOnFailure: true });
    client.close();
    if (details.failed) this.failures.push(describe(details));
    for (let last = next - 1; last >= Math.max(0, next - SUSPECTS); last -= 1) {
      this.suspects.push({ seed, index: last });
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
    const client = new FuzzClient(this.catalog, this.pictures, this.api);
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
    const medianOf = (at: number): number =>
      median(this.samples.slice(Math.floor(at * tenth), Math.ceil((at + 1) * tenth)));
    return { warm: Math.round(medianOf(1) / MIB), end: Math.round(medianOf(9) / MIB) };
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
