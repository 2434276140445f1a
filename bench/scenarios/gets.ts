import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNginxInstalled } from '../../test/support/servers/nginx.ts';
import { type Comparison, compare, type Subject } from '../support/compare.ts';
import { filesBelow } from '../support/files-below.ts';
import { fillCatalog, sha256Of } from '../support/fill-catalog.ts';
import type { GetJob } from '../support/jobs.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

/** The targets hold for this number of clients. */
const TARGET_CONCURRENCY = 32;

type Wanted = Pick<GetJob, 'requests' | 'status' | 'atLeastBytes'>;

interface Sides {
  readonly service: { readonly server: Server; readonly wanted: Wanted };
  readonly baseline: { readonly server: Server; readonly wanted: Wanted };
}

interface Get {
  readonly name: string;
  /** Throughput to the baseline's; missing if there is no target. */
  readonly target?: number;
  /** `--check` fails below this instead of half of the target. */
  readonly limit?: number;
  readonly isAvailable?: () => boolean;
  readonly prepare: (bench: Workbench) => Promise<Sides>;
}

/** A service with photos of 100 KB. Their ids begin with 1. */
async function serviceWithPhotos(bench: Workbench, photos: number): Promise<Server> {
  const server = await bench.startService(await bench.makeFolder('service'));
  await bench.upload(server, '100KB', photos);
  return server;
}

/** Clients request these in turn, so that no two request the same record at the same time. */
const RECORDS = 1_000;
const IDS = Array.from({ length: RECORDS }, (_, index) => index + 1);

/** A service with records without blobs. */
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

/** More than the service caches: requested in turn, each photo is evicted before its next request. */
const MANY_PHOTOS = 250;

const bytesOfMany: Get = {
  name: 'many-bytes',
  target: 0.75,
  prepare: (bench) => bytesBeside(bench, 'bytes', MANY_PHOTOS),
};

/** More than the service caches, too. */
const READ_FILE_PHOTOS = 200;

const bytesBesideReadFile: Get = {
  name: 'read-file',
  target: 0.75,
  prepare: async (bench) => {
    const folder = await bench.makeFolder('service');
    const server = await bench.startService(folder);
    await bench.upload(server, '100KB', READ_FILE_PHOTOS);
    return {
      service: await photosOf(bench, server, READ_FILE_PHOTOS),
      baseline: await readFileBaseline(bench, join(folder, 'blobs')),
    };
  },
};

/** The baseline reads the blobs of the service. */
async function readFileBaseline(bench: Workbench, blobs: string): Promise<Sides['baseline']> {
  const paths = await filesBelow(blobs);
  const server = await bench.startBaseline('read-file', paths);
  const requests = paths.map((_, index) => ({ url: `${server.url}${index}`, headers: {} }));
  const { length } = await bench.photoBytes('100KB');
  return { server, wanted: { requests, status: 200, atLeastBytes: length } };
}

const bytesBesideNginx: Get = {
  name: 'nginx',
  isAvailable: isNginxInstalled,
  prepare: (bench) => bytesBeside(bench, 'nginx'),
};

const bytesByNginx: Get = {
  name: 'accel',
  target: 0.5,
  // The target is out of reach: see bench/notes/costs-of-requests.md.
  limit: 0.1,
  isAvailable: isNginxInstalled,
  prepare: async (bench) => {
    const server = await bench.startServiceBehindNginx(await bench.makeFolder('service'));
    await bench.upload(server, '100KB', 1);
    return await bytesOf(bench, server, 'nginx');
  },
};

/** A rendition by a signed link, which nginx caches, beside a file that nginx sends. */
const signedLink: Get = {
  name: 'signed-link',
  target: 0.8,
  isAvailable: isNginxInstalled,
  prepare: async (bench) => {
    const server = await bench.startServiceBehindNginx(await bench.makeFolder('service'));
    await bench.upload(server, '100KB', 1);
    const url = new URL(await bench.client(server).link(1, { width: 320, format: 'webp' }), server.url).href;
    const rendition = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const wanted = { requests: [{ url, headers: {} }], status: 200, atLeastBytes: rendition.length };
    return { service: { server, wanted }, baseline: await bytesBaseline(bench, rendition, 'nginx') };
  },
};

async function bytesBeside(bench: Workbench, name: 'bytes' | 'nginx', photos = 1): Promise<Sides> {
  return await bytesOf(bench, await serviceWithPhotos(bench, photos), name, photos);
}

/** Requests the photos from id 1 on in turn. */
async function bytesOf(
  bench: Workbench,
  server: Server,
  name: 'bytes' | 'nginx',
  photos = 1,
): Promise<Sides> {
  return {
    service: await photosOf(bench, server, photos),
    baseline: await bytesBaseline(bench, await bench.photoBytes('100KB'), name),
  };
}

async function photosOf(bench: Workbench, server: Server, photos: number): Promise<Sides['service']> {
  const { length } = await bench.photoBytes('100KB');
  const requests = IDS.slice(0, photos).map((id) => ({
    url: `${server.url}api/image/${id}/file`,
    headers: bench.authorization,
  }));
  return { server, wanted: { requests, status: 200, atLeastBytes: length } };
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
  const { name, target, isAvailable = () => true } = get;
  return { name, isAvailable, isQuick: target !== undefined, run: (bench) => run(get, bench) };
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

export const GET_SCENARIOS: readonly Scenario[] = [
  record,
  bytes,
  bytesOfMany,
  bytesBesideReadFile,
  bytesBesideNginx,
  bytesByNginx,
  signedLink,
  notModified,
  repeatedRendition,
].map(scenarioOf);
