import * as fc from 'fast-check';
import { DescribedApi, type Description } from '../../support/openapi/described-api.ts';
import type { Hits } from '../../support/openapi/hits.ts';
import { matrixOf } from '../../support/openapi/matrix.ts';
import { RunningCatalog } from '../../support/servers/running-catalog.ts';
import { type FuzzOptions, fuzzInClients } from '../fuzz-in-clients.ts';
import { fuzzPictures, LOW_LIMITS } from '../fuzz-pictures.ts';
import { DescribedClient } from './described-client.ts';
import { describedRequests } from './described-requests.ts';

export interface OpenApiFuzzReport {
  /** Responses by operation and declared status. */
  readonly matrix: string;
  readonly hits: Hits;
  /** Requests by their mutation; `none` for requests that the document allows. */
  readonly mutations: ReadonlyMap<string, number>;
  /** Responses that are not declared or not allowed, with the request; logged errors; orphaned files. */
  readonly problems: readonly string[];
}

const CLIENTS = 4;

/** Sends requests that are generated from the document of a service to this service. */
export async function runOpenApiFuzz(options: FuzzOptions): Promise<OpenApiFuzzReport> {
  const catalog = await RunningCatalog.start({
    env: { ...LOW_LIMITS, TRASH_DAYS: '7', WEB_URL: 'https://cats.example.com/' },
  });
  try {
    return await fuzz(catalog, options);
  } finally {
    await catalog.stop();
  }
}

async function fuzz(catalog: RunningCatalog, options: FuzzOptions): Promise<OpenApiFuzzReport> {
  const description = (await (await catalog.request('api/openapi.json')).json()) as Description;
  const run = new FuzzRun(catalog, description, options);
  await run.all();
  return {
    matrix: matrixOf(description, run.hits).text,
    hits: run.hits,
    mutations: run.mutations,
    problems: [
      ...run.failures,
      ...catalog.errors().map((error) => `LOGGED ${JSON.stringify(error)}`),
      ...(await catalog.leftovers()).map((orphan) => `ORPHANED ${orphan}`),
    ],
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
    private readonly options: FuzzOptions,
  ) {}

  async all(): Promise<void> {
    const pictures = await fuzzPictures();
    await fuzzInClients(CLIENTS, this.options, (plan) => this.client(plan, pictures));
  }

  private async client(
    plan: { readonly numRuns: number; readonly seed: number },
    pictures: Awaited<ReturnType<typeof fuzzPictures>>,
  ): Promise<void> {
    const client = new DescribedClient(this.catalog, this.api(), pictures);
    const property = fc.asyncProperty(describedRequests(this.description), async (request) => {
      await client.send(request);
      this.count(request.mutation ?? 'none');
    });
    const details = await fc.check(property, { ...plan, endOnFailure: true });
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
