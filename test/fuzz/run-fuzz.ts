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
  /** Requests that violated the contract, and how to repeat them; what the service has left behind. */
  readonly problems: readonly string[];
  /** Medians, in MiB: after the warm-up (between 10 and 20 % of the requests) and over the last 10 %. */
  readonly rss: { readonly warm: number; readonly end: number };
}

const MIB = 1024 * 1024;
const CLIENTS = 8;
const SAMPLES = 200;
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

class Fuzz {
  private readonly outcomes = new Map<Outcome, number>();
  private readonly samples: number[] = [];
  private readonly failures: string[] = [];
  private done = 0;
  private failed = false;
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
    const problems = [
      ...this.failures,
      ...this.logged(),
      ...(this.failed ? [] : await this.leftBehind(before)),
    ];
    return { outcomes: this.outcomes, problems, rss: this.rss() };
  }

  private logged(): readonly string[] {
    const { stderr } = this.catalog.process;
    return [
      ...this.catalog.errors().map((error) => `LOGGED ${JSON.stringify(error)}`),
      ...(stderr === '' ? [] : [`STDERR ${stderr.slice(0, 5_000)}`]),
    ];
  }

  /** By a service that runs. */
  private async leftBehind(openFiles: number): Promise<readonly string[]> {
    const problems = (await this.catalog.leftovers()).map((orphan) => `ORPHANED ${orphan}`);
    const open = await this.catalog.idleOpenFiles(openFiles);
    if (open > openFiles) problems.push(`${open} files are open, ${openFiles} before`);
    const { warm, end } = this.rss();
    if (end - warm >= RSS_GROWTH_MIB) problems.push(`the RSS grew by ${end - warm} MiB`);
    return problems;
  }

  private async runClient({ numRuns, seed }: { numRuns: number; seed: number }): Promise<void> {
    const client = new FuzzClient(this.catalog, this.pictures, this.api);
    const property = fc.asyncProperty(fuzzRequest, async (request) => {
      if (this.failed) return;
      try {
        this.count(await client.send(request));
      } catch (error) {
        this.failed = true;
        throw error;
      }
    });
    // Not shrunk: a service that has crashed fails whatever is sent.
    const details = await fc.check(property, { seed, numRuns, endOnFailure: true });
    client.close();
    if (details.failed) this.failures.push(describe(details));
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
}: RunDetails<[FuzzRequest]>): string {
  const error = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${error}\n  ${fc.stringify(counterexample?.[0])}\n  fast-check seed ${seed}, path ${counterexamplePath}`;
}
