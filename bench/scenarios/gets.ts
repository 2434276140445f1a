import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Comparison, compare, type Subject } from '../support/compare.ts';
import { fillCatalog, sha256Of } from '../support/fill-catalog.ts';
import type { GetJob } from '../support/jobs.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

/** The concurrency that the targets are set for. */
const TARGET_CONCURRENCY = 32;

type Wanted = Pick<GetJob, 'requests' | 'status' | 'atLeastBytes'>;

interface Sides {
  readonly service: { readonly server: Server; readonly wanted: Wanted };
  readonly baseline: { readonly server: Server; readonly wanted: Wanted };
}

interface Get {
  readonly name: string;
  /** What the throughput is to be, as a part of the baseline's; nothing is promised where it is missing. */
  readonly target?: number;
  /** What `--check` fails below, where the target is out of reach. */
  readonly limit?: number;
  readonly prepare: (bench: Workbench) => Promise<Sides>;
}

/** A service with photos of 100 KB, which have the ids from 1 on. */
async function serviceWithPhotos(bench: Workbench, photos: number): Promise<Server> {
  const server = await bench.startService(await bench.makeFolder('service'));
  await bench.upload(server, '100KB', photos);
  return server;
}

/** Asked for in turn, so that no two clients want the same one at the same time. */
const RECORDS = 1_000;
const IDS = Array.from({ length: RECORDS }, (_, index) => index + 1);

/** A service with records that have no bytes. */
async function serviceWithRecords(bench: Workbench): Promise<{ server: Server; folder: string }> {
  const folder = await bench.makeFolder('service');
  await fillCatalog(folder, RECORDS);
  return { server: await bench.startService(folder), folder };
}

/** The baseline reads from the catalog of the service. */
async function recordBaseline(bench: Workbench, folder: string): Promise<Sides['baseline']> {
  const server = await bench.startBaseline('record', [join(folder, 'catalog.sqlite')]);
  const requests = IDS.map((id) => ({ url: `${server.url}${id}`, headers: {} }));
  return { server, wanted: { requests, status: 200, atLeastBytes: 300 } };
}

async function bytesBaseline(
  bench: Workbench,
  bytes: Uint8Array,
  name: 'bytes' | 'nginx' = 'bytes',
): Promise<Sides['baseline']> {
  const path = join(await bench.makeFolder('file'), 'file');
  await writeFile(path, bytes);
  const server = await bench.startBaseline(name, [path]);
  const requests = [{ url: server.url, headers: {} }];
  return { server, wanted: { requests, status: 200, atLeastBytes: bytes.length } };
}

const record: Get = {
  name: 'record',
  target: 0.5,
  prepare: async (bench) => {
    const { server, folder } = await serviceWithRecords(bench);
    const requests = IDS.map((id) => ({
      url: `${server.url}api/image/${id}`,
      headers: bench.authorization,
    }));
    const wanted = { requests, status: 200, atLeastBytes: 300 };
    return { service: { server, wanted }, baseline: await recordBaseline(bench, folder) };
  },
};

const notModified: Get = {
  name: 'not-modified',
  target: 0.5,
  prepare: async (bench) => {
    const { server, folder } = await serviceWithRecords(bench);
    const requests = IDS.map((id) => ({
      url: `${server.url}api/image/${id}/file`,
      headers: { ...bench.authorization, 'if-none-match': `"${sha256Of(id)}"` },
    }));
    const wanted = { requests, status: 304, atLeastBytes: 100 };
    return { service: { server, wanted }, baseline: await recordBaseline(bench, folder) };
  },
};

const bytes: Get = {
  name: 'bytes',
  target: 0.75,
  prepare: (bench) => bytesBeside(bench, 'bytes'),
};

/** More than the service keeps in memory: asked for in turn, each has been forgotten when it comes again. */
const MANY_PHOTOS = 250;

const bytesOfMany: Get = {
  name: 'many-bytes',
  target: 0.75,
  prepare: (bench) => bytesBeside(bench, 'bytes', MANY_PHOTOS),
};

const bytesBesideNginx: Get = { name: 'nginx', prepare: (bench) => bytesBeside(bench, 'nginx') };

const bytesByNginx: Get = {
  name: 'accel',
  target: 0.5,
  // docs/performance.md says why: nginx alone spends more on its two connections than on a file of its own.
  limit: 0.1,
  prepare: async (bench) => {
    const server = await bench.startServiceBehindNginx(await bench.makeFolder('service'));
    await bench.upload(server, '100KB', 1);
    return await bytesOf(bench, server, 'nginx');
  },
};

async function bytesBeside(bench: Workbench, name: 'bytes' | 'nginx', photos = 1): Promise<Sides> {
  return await bytesOf(bench, await serviceWithPhotos(bench, photos), name, photos);
}

/** Of the photos with the ids from 1 on, in turn. */
async function bytesOf(
  bench: Workbench,
  server: Server,
  name: 'bytes' | 'nginx',
  photos = 1,
): Promise<Sides> {
  const photo = await bench.photoBytes('100KB');
  const requests = IDS.slice(0, photos).map((id) => ({
    url: `${server.url}api/image/${id}/file`,
    headers: bench.authorization,
  }));
  const wanted = { requests, status: 200, atLeastBytes: photo.length };
  return { service: { server, wanted }, baseline: await bytesBaseline(bench, photo, name) };
}

const repeatedRendition: Get = {
  name: 'repeated-rendition',
  target: 0.75,
  prepare: async (bench) => {
    const server = await serviceWithPhotos(bench, 1);
    const url = `${server.url}api/image/1/file?width=320&format=webp`;
    const made = await fetch(url, { headers: bench.authorization });
    const rendition = new Uint8Array(await made.arrayBuffer());
    const requests = [{ url, headers: bench.authorization }];
    const wanted = { requests, status: 200, atLeastBytes: rendition.length };
    return { service: { server, wanted }, baseline: await bytesBaseline(bench, rendition) };
  },
};

function scenarioOf(get: Get): Scenario {
  return { name: get.name, hasTarget: get.target !== undefined, run: (bench) => run(get, bench) };
}

async function run({ name, target, limit, prepare }: Get, bench: Workbench): Promise<Outcome> {
  const sides = await prepare(bench);
  const comparisons: Comparison[] = [];
  for (const concurrency of bench.options.quick ? [TARGET_CONCURRENCY] : [1, 8, TARGET_CONCURRENCY]) {
    const subject = ({ server, wanted }: Sides['service']): Subject => ({
      server,
      job: { kind: 'get', ...wanted, connections: concurrency, seconds: bench.seconds },
    });
    comparisons.push(
      await compare(bench, name, concurrency, subject(sides.service), subject(sides.baseline)),
    );
  }
  if (target === undefined) return { comparisons };
  const measured = comparisons.at(-1)?.throughputRatio.median ?? Number.NaN;
  const what = `${name}, c=${TARGET_CONCURRENCY}: throughput to the baseline's`;
  const check: Check = { what, measured, bound: 'at least', target, ...(limit !== undefined && { limit }) };
  return { comparisons, checks: [check] };
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export const GET_SCENARIOS: readonly Scenario[] = [
  record,
  bytes,
  bytesOfMany,
  ...(isInstalled('nginx') ? [bytesBesideNginx, bytesByNginx] : []),
  notModified,
  repeatedRendition,
].map(scenarioOf);
