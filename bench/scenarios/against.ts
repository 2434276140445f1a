import { ownCpuMsOf, pssOf } from '../../test/support/servers/process-tree.ts';
import { type Comparison, compare, compareRuns, type Subject } from '../support/compare.ts';
import type { EachJob } from '../support/jobs.ts';
import type { PhotoName } from '../support/make-photos.ts';
import { measure, type Run } from '../support/measure.ts';
import { otherBuild } from '../support/other-build.ts';
import type { Check, Note, Outcome, Scenario } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import { type Spread, spreadOf } from '../support/statistics.ts';
import { MissingPrerequisite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';

/** Ratio to the other build beyond which `--check` fails. */
const LIMIT = 1.1;
const VIEW = 'file?width=320&format=webp';

interface Builds {
  readonly this: Server;
  readonly other: Server;
}

/** Both builds at the same time, each with a catalog of its own. */
async function startBoth(bench: Workbench, env: Readonly<Record<string, string>> = {}): Promise<Builds> {
  const other = await otherOf(bench);
  return {
    this: await bench.startService(await bench.makeFolder('this'), { env }),
    other: await bench.startService(await bench.makeFolder('other'), { env, project: other }),
  };
}

async function otherOf({ options }: Workbench): Promise<string> {
  if (options.against === undefined) throw new MissingPrerequisite('--against names no other build');
  return await otherBuild(options.against);
}

function upload(photo: PhotoName, connections: number): Scenario {
  return { name: `upload-${photo}-${connections}`, run };

  async function run(bench: Workbench): Promise<Outcome> {
    const builds = await startBoth(bench, { PRERENDER: '' });
    const subject = async (server: Server): Promise<Subject> => ({
      server,
      job: await bench.uploadJob(server, photo, { connections, seconds: bench.seconds }),
    });
    for (const server of [builds.this, builds.other]) await bench.upload(server, photo, WARM_UP_UPLOADS);
    return outcomeOf(
      await compare(
        bench,
        `upload ${photo}`,
        connections,
        await subject(builds.this),
        await subject(builds.other),
      ),
    );
  }
}

/** The code of the first ones is interpreted. */
const WARM_UP_UPLOADS = 50;

const PICTURES = 100;

/** GETs of pictures that are there, in turn. */
function get(name: string, paths: (id: number) => string): Scenario {
  return { name, run };

  async function run(bench: Workbench): Promise<Outcome> {
    const builds = await startBoth(bench);
    for (const server of [builds.this, builds.other]) await bench.upload(server, '100KB', PICTURES);
    const all = Array.from({ length: PICTURES }, (_, index) => paths(index + 1));
    const subject = (server: Server): Subject => ({
      server,
      job: bench.getJob(server, all, { connections: CONNECTIONS, atLeastBytes: 200 }),
    });
    return outcomeOf(await compare(bench, name, CONNECTIONS, subject(builds.this), subject(builds.other)));
  }
}

const CONNECTIONS = 8;

/** Each round deletes the pictures that it has uploaded. */
const deletes: Scenario = { name: 'delete', run: compareDeletes };

async function compareDeletes(bench: Workbench): Promise<Outcome> {
  const builds = await startBoth(bench, { PRERENDER: '' });
  const uploaded = new Map([builds.this, builds.other].map((server) => [server, 0]));
  const run = async (server: Server): Promise<Run> => {
    const before = uploaded.get(server) ?? 0;
    await bench.upload(server, '100KB', PICTURES);
    uploaded.set(server, before + PICTURES);
    const ids = Array.from({ length: PICTURES }, (_, index) => before + index + 1);
    return await measure(bench.generator, server, deleteJob(bench, server, ids));
  };
  for (const server of [builds.this, builds.other]) await run(server);
  const pair = { title: 'delete', concurrency: CONNECTIONS };
  const sides = { service: () => run(builds.this), baseline: () => run(builds.other) };
  return outcomeOf(await compareRuns({ ...pair, ...sides }, bench.options.rounds));
}

function deleteJob(bench: Workbench, { url }: Server, ids: readonly number[]): EachJob {
  return {
    kind: 'each',
    method: 'DELETE',
    urls: ids.map((id) => `${url}api/image/${id}`),
    headers: bench.authorization,
    connections: CONNECTIONS,
    status: 204,
  };
}

/** Each round gives every picture another title and another tag. */
const edits: Scenario = { name: 'edit', run: compareEdits };

async function compareEdits(bench: Workbench): Promise<Outcome> {
  const builds = await startBoth(bench, { PRERENDER: '' });
  for (const server of [builds.this, builds.other]) await bench.upload(server, '100KB', PICTURES);
  let round = 0;
  const run = async (server: Server): Promise<Run> => {
    round += 1;
    const ids = Array.from({ length: PICTURES }, (_, index) => index + 1);
    const job: EachJob = {
      ...deleteJob(bench, server, ids),
      method: 'PATCH',
      urls: ids.map((id) => `${server.url}api/image/${id}/metadata`),
      headers: { ...bench.authorization, 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ title: `Chelsea on the sofa ${round}`, tags: ['sofa', `round ${round}`] }),
      status: 200,
    };
    return await measure(bench.generator, server, job);
  };
  for (const server of [builds.this, builds.other]) await run(server);
  const sides = { service: () => run(builds.this), baseline: () => run(builds.other) };
  return outcomeOf(
    await compareRuns({ title: 'edit', concurrency: CONNECTIONS, ...sides }, bench.options.rounds),
  );
}

interface Start {
  /** To the first 200. */
  readonly ms: number;
  /** Of the service without its decoders, to the first 200. */
  readonly cpuMs: number;
  /** Of all processes, once the start has been at rest for a while. */
  readonly pssBytes: number;
}

/** Long enough for decoders to start and for the first sweep. */
const REST_MS = 3_000;

const start: Scenario = { name: 'start', run: compareStarts };

async function compareStarts(bench: Workbench): Promise<Outcome> {
  const other = await otherOf(bench);
  const [mine, theirs]: [Start[], Start[]] = [[], []];
  const folders = { mine: await bench.makeFolder('this'), theirs: await bench.makeFolder('other') };
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    const one = await startOnce(bench, folders.mine);
    const another = await startOnce(bench, folders.theirs, other);
    // The first ones make their catalogs.
    if (round === 0) continue;
    mine.push(one);
    theirs.push(another);
  }
  const compared = (of: (start: Start) => number): Spread =>
    spreadOf(mine.map((one, round) => of(one) / of(theirs[round] as Start)));
  return {
    checks: [
      checkOf(
        'CPU of the service to the first 200',
        compared(({ cpuMs }) => cpuMs),
      ),
      checkOf(
        'memory when idle (PSS of all processes)',
        compared(({ pssBytes }) => pssBytes),
      ),
    ],
    notes: [...notesOf('this build', mine), ...notesOf('the other build', theirs)],
  };
}

async function startOnce(bench: Workbench, folder: string, project?: string): Promise<Start> {
  const begun = performance.now();
  const server = await bench.startService(folder, { ...(project !== undefined && { project }) });
  const response = await fetch(`${server.url}api/images?limit=1`, { headers: bench.authorization });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status} for the first request`);
  const ms = performance.now() - begun;
  const cpuMs = ownCpuMsOf(server.pid);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const pssBytes = pssOf(server.pid);
  await server.stop();
  return { ms, cpuMs, pssBytes };
}

function notesOf(build: string, starts: readonly Start[]): readonly Note[] {
  const medianOf = (of: (start: Start) => number): number => spreadOf(starts.map(of)).median;
  return [
    { what: `${build}: start to the first 200`, measured: medianOf(({ ms }) => ms), unit: 'ms' },
    { what: `${build}: CPU of the service to it`, measured: medianOf(({ cpuMs }) => cpuMs), unit: 'ms' },
    {
      what: `${build}: PSS when idle`,
      measured: medianOf(({ pssBytes }) => pssBytes / 2 ** 20),
      unit: 'MiB',
    },
  ];
}

function outcomeOf(comparison: Comparison): Outcome {
  const { title, concurrency, cpuRatio } = comparison;
  return { comparisons: [comparison], checks: [checkOf(`${title}, c=${concurrency}: CPU`, cpuRatio)] };
}

function checkOf(what: string, ratio: Spread): Check {
  return {
    what: `${what} to that of the other build`,
    measured: ratio.median,
    bound: 'at most',
    target: 1,
    limit: LIMIT,
  };
}

export const AGAINST_SCENARIOS: readonly Scenario[] = [
  upload('100KB', 1),
  upload('100KB', 8),
  upload('3MB', 8),
  get('view', (id) => `api/image/${id}/${VIEW}`),
  get('original', (id) => `api/image/${id}/file`),
  get('record', (id) => `api/image/${id}`),
  get('list', () => 'api/images?limit=50'),
  get('search', () => 'api/images?limit=50&q=photo'),
  edits,
  deletes,
  start,
];
