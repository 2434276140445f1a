import * as fc from 'fast-check';
import { DescribedApi, type Description } from '../../support/openapi/described-api.ts';
import type { Hits } from '../../support/openapi/hits.ts';
import { matrixOf } from '../../support/openapi/matrix.ts';
import { RunningCatalog } from '../../support/servers/running-catalog.ts';
import { fuzzPictures, MAX_FILE_BYTES, MAX_PIXELS } from '../fuzz-pictures.ts';
import { DescribedClient } from './described-client.ts';
import { describedRequests } from './described-requests.ts';

export interface OpenApiFuzzOptions {
  readonly requests: number;
  /** The same seed gives the same requests. */
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

export interface OpenApiFuzzReport {
  /** Responses by operation and declared status. */
  readonly matrix: string;
  readonly hits: Hits;
  /** Requests by their mutation; `none` for requests that the document allows. */
  readonly mutations: ReadonlyMap<string, number>;
  /** For each response that is not declared or not allowed: the problem and the request. */
  readonly failures: readonly string[];
  readonly errorsLogged: readonly unknown[];
  readonly orphans: readonly string[];
}

/** Each derives its own sequence from the seed. */
const CLIENTS = 4;

/** Sends requests that are generated from the document of a service to this service. */
export async function runOpenApiFuzz(options: OpenApiFuzzOptions): Promise<OpenApiFuzzReport> {
  const catalog = await RunningCatalog.start({
    env: {
      UPLOAD_MAX_BYTES: String(MAX_FILE_BYTES),
      UPLOAD_MAX_PIXELS: String(MAX_PIXELS),
      INPUT_FORMATS: 'jpeg,png,webp,gif',
      RENDITION_SIZES: '16,32,64,128',
      TRASH_DAYS: '7',
      WEB_URL: 'https://cats.example.com/',
    },
  });
  try {
    return await fuzz(catalog, options);
  } finally {
    await catalog.stop();
  }
}

async function fuzz(catalog: RunningCatalog, options: OpenApiFuzzOptions): Promise<OpenApiFuzzReport> {
  const description = (await (await catalog.request('api/openapi.json')).json()) as Description;
  const run = new FuzzRun(catalog, description, options);
  await run.all();
  return {
    matrix: matrixOf(description, run.hits).text,
    hits: run.hits,
    mutations: run.mutations,
    failures: run.failures,
    errorsLogged: catalog.errors(),
    orphans: await catalog.leftovers(),
  };
}

class FuzzRun {
  readonly hits: Record<string, number> = {};
  readonly mutations = new Map<string, number>();
  readonly failures: string[] = [];
  private done = 0;

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly description: Description,
    private readonly options: OpenApiFuzzOptions,
  ) {}

  async all(): Promise<void> {
    const pictures = await fuzzPictures();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => await this.client(index, pictures)),
    );
  }

  private async client(index: number, pictures: Awaited<ReturnType<typeof fuzzPictures>>): Promise<void> {
    const { requests, seed } = this.options;
    const numRuns = Math.floor(requests / CLIENTS) + (index < requests % CLIENTS ? 1 : 0);
    if (numRuns === 0) return;
    const client = new DescribedClient(this.catalog, this.api(), pictures);
    const property = fc.asyncProperty(describedRequests(this.description), async (request) => {
      await client.send(request);
      this.count(request.mutation ?? 'none');
    });
    const details = await fc.check(property, { seed: seed * CLIENTS + index, numRuns, endOnFailure: true });
    client.close();
    if (details.failed) {
      this.failures.push(`${String(details.errorInstance)}\n  ${fc.stringify(details.counterexample?.[0])}`);
    }
  }

  private api(): DescribedApi {
    return new DescribedApi(this.description, (operationId, status) => {
      const key = `${operationId} ${status}`;
      this.hits[key] = (this.hits[key] ?? 0) + 1;
    });
  }

  private count(mutation: string): void {
    this.mutations.set(mutation, (this.mutations.get(mutation) ?? 0) + 1);
    this.done += 1;
    this.options.onProgress?.(this.done);
  }
}
