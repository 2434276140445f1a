import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { LoadGenerator } from '../support/load-generator.ts';
import { InvalidRun } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import { WITHOUT_PRERENDERING } from '../support/server.ts';
import { percentile } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const PICTURES = 4;
const RECORDS = 60;
const CLIENTS = 8;
const SIDES = [256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920];
const QUALITIES = [50, 55, 60, 65, 70, 75, 80, 85];
/** Pause between two requests: without it the probe competes with the service for a core. */
const PAUSE_MS = 10;
/** `monitorEventLoopDelay` includes its own interval in the delay. */
const MONITOR_INTERVAL_MS = 10;

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Event loop delay and latency of other requests while 24-megapixel pictures are rendered. */
export const responsiveness: Scenario = { name: 'responsiveness', run };

async function run(bench: Workbench): Promise<Outcome> {
  const management = await lastingPort();
  const server = await bench.startService(await bench.makeFolder('service'), {
    env: { MANAGEMENT_PORT: String(management), ...WITHOUT_PRERENDERING },
  });
  await bench.upload(server, '8MB', PICTURES);
  await bench.upload(server, '100KB', RECORDS);
  const idle = await probe(bench, server, management);
  const rendering = renderAll(bench, server, 2 * bench.seconds + 2);
  await sleep(500);
  const busy = await probe(bench, server, management);
  const renditionsPerSecond = await rendering;
  return {
    checks: [
      {
        what: 'event loop delay p99 while 24-megapixel pictures are rendered',
        measured: busy.loopDelayP99Ms,
        bound: 'at most',
        target: 50,
        unit: 'ms',
      },
    ],
    notes: [
      { what: 'renditions per second meanwhile', measured: renditionsPerSecond, unit: '/s' },
      { what: 'main thread ran, busy', measured: busy.ranMs, unit: 'ms' },
      { what: 'main thread waited for a core, busy', measured: busy.waitedMs, unit: 'ms' },
      { what: 'main thread waited for a core, idle', measured: idle.waitedMs, unit: 'ms' },
      { what: 'event loop delay p99, idle', measured: idle.loopDelayP99Ms, unit: 'ms' },
      ...latencyNotes('GET /, idle', idle.greeting),
      ...latencyNotes('GET /, busy', busy.greeting),
      ...latencyNotes('GET /api/images?limit=50, idle', idle.page),
      ...latencyNotes('GET /api/images?limit=50, busy', busy.page),
    ],
  };
}

function latencyNotes(what: string, { p50, p99 }: Latency): NonNullable<Outcome['notes']> {
  return [
    { what: `${what}: p50`, measured: p50, unit: 'ms' },
    { what: `${what}: p99`, measured: p99, unit: 'ms' },
  ];
}

/** Sends requests from a second load generator, and resolves to renditions per second. */
async function renderAll(bench: Workbench, server: Server, seconds: number): Promise<number> {
  const urls = QUALITIES.flatMap((quality) =>
    SIDES.flatMap((width) =>
      Array.from(
        { length: PICTURES },
        (_, index) =>
          `${server.url}api/image/${index + 1}/file?width=${width}&format=webp&quality=${quality}`,
      ),
    ),
  );
  const job = {
    kind: 'each',
    method: 'GET',
    urls,
    headers: bench.authorization,
    connections: CLIENTS,
    status: 200,
    seconds,
  } as const;
  const generator = LoadGenerator.start();
  const load = await generator.perform(job);
  await generator.stop();
  if (load.errors.length > 0) throw new InvalidRun(job.kind, load.errors);
  return load.requests / load.seconds;
}

interface Probe {
  readonly greeting: Latency;
  readonly page: Latency;
  readonly loopDelayP99Ms: number;
  /** Time of the main thread on a core. */
  readonly ranMs: number;
  /** Time in which the main thread waits for a core: other processes cause it. */
  readonly waitedMs: number;
}

async function probe(bench: Workbench, server: Server, management: number): Promise<Probe> {
  const pool = new Pool(server.url, { connections: 1 });
  await loopDelayP99Ms(management); // Reading resets the metric.
  const before = schedulingOf(server.pid);
  const greeting = await latencyOf(pool, '/', {}, bench.seconds);
  const page = await latencyOf(pool, '/api/images?limit=50', bench.authorization, bench.seconds);
  const delay = await loopDelayP99Ms(management);
  const after = schedulingOf(server.pid);
  await pool.close();
  return {
    greeting,
    page,
    loopDelayP99Ms: delay,
    ranMs: after.ranMs - before.ranMs,
    waitedMs: after.waitedMs - before.waitedMs,
  };
}

/** `/proc/<pid>/task/<pid>/schedstat` has the nanoseconds of the main thread on a core, and waiting for one. */
function schedulingOf(pid: number): { readonly ranMs: number; readonly waitedMs: number } {
  const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ranMs: (ran ?? Number.NaN) / 1e6, waitedMs: (waited ?? Number.NaN) / 1e6 };
}

async function latencyOf(
  pool: Pool,
  path: string,
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Latency> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path} returns ${statusCode}`);
    latencies.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

async function loopDelayP99Ms(management: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  return Math.max(0, Number(seconds) * 1000 - MONITOR_INTERVAL_MS);
}
