import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, type Subject } from '../support/compare.ts';
import type { PhotoName } from '../support/make-photos.ts';
import { InvalidRun, measure, type Run } from '../support/measure.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import { median } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const CONCURRENCY = 8;
const VIEW = '?width=320&format=webp';
const SIZES: readonly PhotoName[] = ['100KB', '3MB'];

/** Each client uploads and gets the default rendition. The baseline decodes and encodes once. */
function uploadAndView(photo: PhotoName): Scenario {
  return { name: `upload-and-view-${photo}`, run };

  async function run(bench: Workbench): Promise<Outcome> {
    const service = await bench.startService(await bench.makeFolder('service'));
    const bare = await bench.startBaseline('upload', [await bench.makeFolder('bare'), '--render']);
    const subject = async (server: Server): Promise<Subject> => {
      const job = { connections: CONCURRENCY, seconds: bench.seconds, view: VIEW };
      return { server, job: await bench.uploadJob(server, photo, job) };
    };
    const title = `upload-and-view-${photo}`;
    const comparison = await compare(bench, title, CONCURRENCY, await subject(service), await subject(bare));
    const what = `${title}, c=${CONCURRENCY}: CPU to that of one decode and one encode`;
    const check: Check = { what, measured: comparison.cpuRatio.median, bound: 'at most', target: 1.3 };
    return { comparisons: [comparison], checks: [check] };
  }
}

/** The service keeps as many uploads at most for prerendering. */
const VIEWED = 48;

/** The default renditions of uploads, made ahead, beside the same renditions the second time. */
const firstView: Scenario = { name: 'first-view', run: compareViews };

async function compareViews(bench: Workbench): Promise<Outcome> {
  const folder = await bench.makeFolder('service');
  const server = await bench.startService(folder);
  const [first, repeated]: [number[], number[]] = [[], []];
  await uploadAndWait(bench, server, folder, 0);
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    await uploadAndWait(bench, server, folder, round);
    // The uploads have displaced code and data of views from the caches of the processor.
    await view(bench, server, round - 1);
    repeated.push((await view(bench, server, round - 1)).latencyMs.p50);
    first.push((await view(bench, server, round)).latencyMs.p50);
  }
  const ratios = first.map((time, round) => time / (repeated[round] as number));
  return {
    checks: [
      {
        what: 'first view after an upload: time to that of a repeated one',
        measured: median(ratios),
        bound: 'at most',
        target: 1.2,
      },
    ],
    notes: [{ what: 'first view after an upload: median time', measured: median(first), unit: 'ms' }],
  };
}

async function uploadAndWait(bench: Workbench, server: Server, folder: string, round: number): Promise<void> {
  await bench.upload(server, '3MB', VIEWED);
  await untilPrerendered(join(folder, 'renditions'), (round + 1) * VIEWED);
}

async function view(bench: Workbench, server: Server, round: number): Promise<Run> {
  const ids = Array.from({ length: VIEWED }, (_, index) => round * VIEWED + index + 1);
  return await measure(bench.generator, server, {
    kind: 'each',
    method: 'GET',
    urls: ids.map((id) => `${server.url}api/image/${id}/file${VIEW}`),
    headers: bench.authorization,
    connections: 1,
    status: 200,
  });
}

const DEADLINE_MS = 20_000;

async function untilPrerendered(folder: string, count: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (performance.now() < deadline) {
    if ((await renditionsIn(folder)) >= count) return;
    await sleep(20);
  }
  throw new InvalidRun('first-view', [`only ${await renditionsIn(folder)} renditions`]);
}

async function renditionsIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.webp')).length;
}

/** Time of uploads with prerendering, beside the time without. */
function prerenderedUploads(photo: PhotoName): Scenario {
  return { name: `prerendered-uploads-${photo}`, run };

  async function run(bench: Workbench): Promise<Outcome> {
    const start = async (env: Readonly<Record<string, string>>): Promise<Subject> => {
      const server = await bench.startService(await bench.makeFolder('service'), { env });
      const job = { connections: CONCURRENCY, seconds: 2 * bench.seconds };
      return { server, job: await bench.uploadJob(server, photo, job) };
    };
    const [with_, without] = [await start({}), await start(WITHOUT_PRERENDERING)];
    const rows: Run[][] = [];
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      const row: Run[] = [];
      for (const { server, job } of [with_, without]) row.push(await measure(bench.generator, server, job));
      if (round > 0) rows.push(row);
    }
    const ratio = (of: (run: Run) => number): number =>
      median(rows.map(([one, other]) => of(one as Run) / of(other as Run)));
    const what = `upload of ${photo}, c=${CONCURRENCY}, with prerendering to without`;
    return {
      checks: [{ what: `${what}: p95`, measured: ratio(p95Of), bound: 'at most', target: 1.1 }],
      notes: [
        { what: `${what}: median time`, measured: ratio((run) => run.latencyMs.p50), unit: '' },
        { what: `${what}: CPU`, measured: ratio((run) => run.cpuMsPerRequest), unit: '' },
      ],
    };
  }
}

function p95Of({ latencyMs: { p95 = Number.NaN } }: Run): number {
  return p95;
}

export const FIRST_VIEW_SCENARIOS: readonly Scenario[] = [
  ...SIZES.map(uploadAndView),
  firstView,
  ...SIZES.map(prerenderedUploads),
];
