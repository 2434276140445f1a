import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compareRuns } from '../support/compare.ts';
import { filesBelow } from '../support/files-below.ts';
import { measure, type Run } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { type Server, TSX, UV_THREADPOOL_SIZE, WITHOUT_PRERENDERING } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

const CONCURRENCY = 8;
const BASELINE = fileURLToPath(new URL('../baselines/renditions.ts', import.meta.url));

/** Allowed heights above that of the renditions: they change the cache key and not the size. */
const HEIGHTS = [256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

/**
 * Renders 12 megapixels to a WebP of 320 × 240. Each round uses another query, so that no rendition is in the cache. The
 * baseline reads the blobs of the service.
 */
export const firstRendition: Scenario = { name: 'first-rendition', run };

async function run(bench: Workbench): Promise<Outcome> {
  const count = bench.options.quick ? 16 : 64;
  const folder = await bench.makeFolder('service');
  const server = await bench.startService(folder, { env: WITHOUT_PRERENDERING });
  await bench.upload(server, '3MB', count);
  const blobs = await filesBelow(join(folder, 'blobs'));
  const heights = HEIGHTS.values();
  await renderAll(bench, server, count, heights);
  const pair = {
    title: 'first-rendition',
    concurrency: CONCURRENCY,
    service: () => renderAll(bench, server, count, heights),
    baseline: () => renderBare(blobs),
  };
  const comparison = await compareRuns(pair, bench.options.rounds);
  const measured = comparison.throughputRatio.median;
  const what = `first-rendition, c=${CONCURRENCY}: throughput to that of sharp alone`;
  return { comparisons: [comparison], checks: [{ what, measured, bound: 'at least', target: 0.92 }] };
}

async function renderAll(
  bench: Workbench,
  server: Server,
  count: number,
  heights: Iterator<number>,
): Promise<Run> {
  const height = heights.next().value;
  if (height === undefined) throw new RangeError(`At most ${HEIGHTS.length - 1} rounds are possible`);
  const urls = Array.from(
    { length: count },
    (_, index) => `${server.url}api/image/${index + 1}/file?width=320&height=${height}&format=webp`,
  );
  return await measure(bench.generator, server, {
    kind: 'each',
    method: 'GET',
    urls,
    headers: bench.authorization,
    connections: CONCURRENCY,
    status: 200,
  });
}

interface BareRenditions {
  readonly renditions: number;
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly peakRssBytes: number;
}

async function renderBare(paths: readonly string[]): Promise<Run> {
  const args = ['--import', TSX, BASELINE, String(CONCURRENCY), ...paths];
  const env = { ...process.env, UV_THREADPOOL_SIZE };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const { renditions, elapsedMs, cpuMs, peakRssBytes } = JSON.parse(stdout) as BareRenditions;
  const latency = { p50: Number.NaN, p99: Number.NaN };
  const seconds = elapsedMs / 1000;
  return {
    requests: renditions,
    requestsPerSecond: renditions / seconds,
    cpuMsPerRequest: cpuMs / renditions,
    mainThreadMsPerRequest: Number.NaN,
    peakRssBytes,
    latencyMs: latency,
    load: { requests: renditions, seconds, latency, bytes: 0, etags: [], found: 0, errors: [] },
  };
}
