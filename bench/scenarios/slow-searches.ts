import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { fillCatalog } from '../support/fill-catalog.ts';
import { InvalidRun } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import { percentile } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const SIZE = 100_000;
const FULL_SIZE = 500_000;
const SEARCHERS = 16;
const MAX_WAIT_MS = 1_000;
const PAUSE_MS = 20;

/** Each has hundreds of thousands of images. */
const SEARCHES = [
  'api/images?q=holiday+can&count=true&limit=1',
  'api/images?q=h+j+o&count=true&limit=1',
  'api/images?q=1&count=true&limit=1',
  'api/images?q=1+2+3+4&limit=1',
  'api/images/timeline?by=day&q=h+j',
];

/** How long requests of another subject wait while one searches and counts as much as it can. */
export const slowSearches: Scenario = { name: 'slow-searches', run };

async function run(bench: Workbench): Promise<Outcome> {
  const { folder } = await fillCatalog(
    await bench.makeFolder('catalog'),
    bench.options.full ? FULL_SIZE : SIZE,
  );
  return await probeBeside(bench, folder);
}

async function probeBeside(bench: Workbench, folder: string): Promise<Outcome> {
  const management = await lastingPort();
  const web = await lastingPort();
  const env = { MANAGEMENT_PORT: String(management), WEB_PORT: String(web), ...WITHOUT_PRERENDERING };
  const server = await bench.startService(folder, { env });
  const others = await othersOf(bench, server, management);
  const stopped = new AbortController();
  const searching = Array.from({ length: SEARCHERS }, (_, at) => search(bench, server, at, stopped.signal));
  await sleep(1_000);
  const waits = await Promise.all(
    others.map(async (other) => await waitsOf(other, 4 * bench.seconds * 1_000)),
  );
  stopped.abort();
  const searches = (await Promise.all(searching)).reduce((sum, count) => sum + count, 0);
  return {
    checks: others.map(({ what }, at) => ({
      what: `${what} beside ${SEARCHERS} slow searches: longest`,
      measured: Math.max(...(waits[at] ?? [])),
      bound: 'at most',
      target: MAX_WAIT_MS,
      limit: MAX_WAIT_MS,
      unit: 'ms',
    })),
    notes: [
      ...others.map(({ what }, at) => ({
        what: `${what}: median`,
        measured: percentile(waits[at] ?? [], 0.5),
        unit: 'ms',
      })),
      { what: 'searches meanwhile', measured: searches, unit: '' },
    ],
  };
}

interface Other {
  readonly what: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a signed link whose image has no bytes: the link was found valid. */
  readonly status?: number;
}

async function othersOf(bench: Workbench, { url }: Server, management: number): Promise<readonly Other[]> {
  const headers = bench.otherAuthorization;
  const response = await fetch(`${url}api/images/links`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids: [7] }),
  });
  const { images } = (await response.json()) as { readonly images: Readonly<Record<string, [string]>> };
  return [
    { what: 'a page', url: `${url}api/images?limit=50`, headers },
    { what: 'a search by words', url: `${url}api/images?limit=50&q=holiday+can`, headers },
    { what: 'a search by tag', url: `${url}api/images?limit=50&tags=often`, headers },
    { what: 'a record', url: `${url}api/image/7`, headers },
    { what: 'metadata', url: `${url}api/image/7/metadata`, headers },
    { what: 'tags', url: `${url}api/tags`, headers },
    { what: 'similar images', url: `${url}api/image/7/similar`, headers },
    { what: 'the timeline', url: `${url}api/images/timeline?by=month`, headers },
    { what: 'readiness', url: `http://127.0.0.1:${management}/readyz` },
    { what: 'a signed link', url: images['7']?.[0] ?? '', status: 500 },
  ];
}

async function waitsOf({ what, url, headers, status = 200 }: Other, ms: number): Promise<readonly number[]> {
  const waits: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const begun = performance.now();
    const response = await fetch(url, headers === undefined ? {} : { headers });
    await response.arrayBuffer();
    if (response.status !== status) throw new InvalidRun(what, [`status ${response.status}`]);
    waits.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return waits;
}

/** Resolves to the number of responses. */
async function search(
  bench: Workbench,
  { url }: Server,
  first: number,
  stopped: AbortSignal,
): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: 1, headersTimeout: 60_000 });
  let count = 0;
  while (!stopped.aborted) {
    const path = `/${SEARCHES[(first + count) % SEARCHES.length]}`;
    const { body } = await pool.request({ path, method: 'GET', headers: bench.authorization });
    await body.dump();
    count += 1;
  }
  await pool.close();
  return count;
}
