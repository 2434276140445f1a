import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PhotoName } from '../support/make-photos.ts';
import { measure, type Run } from '../support/measure.ts';
import type { Check, Note, Outcome, Scenario } from '../support/scenario.ts';
import { type Server, TSX, UV_THREADPOOL_SIZE } from '../support/server.ts';
import { spreadOf } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const DECODES = fileURLToPath(new URL('../baselines/decodes.ts', import.meta.url));

interface UploadCost {
  readonly name: string;
  readonly photo: PhotoName;
  readonly clients: number;
  /** Of the decoded picture, in pixels: as in the service. */
  readonly decodeSide: number;
  /** CPU of the main thread, to a durable body; missing if there is no target. */
  readonly mainThreadTarget?: number;
}

const COSTS: readonly UploadCost[] = [
  { name: 'upload-cost-100KB', photo: '100KB', clients: 32, decodeSide: 24 },
  { name: 'upload-cost-3MB', photo: '3MB', clients: 1, decodeSide: 24, mainThreadTarget: 1.5 },
];

/** 2.5 to 3.3 in six runs: beside what a bare server does, the main thread hands the bytes to the process of a decoder. */
const MAIN_THREAD_LIMIT = 5;

/** CPU time in ms per upload. */
interface Round {
  readonly service: number;
  readonly mainThread: number;
  readonly decode: number;
  readonly durableBody: number;
}

/**
 * CPU of an upload against that of its two parts that cannot be saved: the decode by sharp alone, and a bare server that
 * stores the body durably.
 */
async function run(cost: UploadCost, bench: Workbench): Promise<Outcome> {
  // Renditions made ahead would be more than the decode.
  const env = { PRERENDER: '' };
  const service = await bench.startService(await bench.makeFolder('service'), { env });
  const bare = await bench.startBaseline('durable-body', [await bench.makeFolder('bare')]);
  const rounds: Round[] = [];
  for (const server of [service, bare]) await bench.upload(server, cost.photo, WARM_UP_UPLOADS);
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const uploads = await runOf(cost, bench, service);
    rounds.push({
      service: uploads.cpuMsPerRequest,
      mainThread: uploads.mainThreadMsPerRequest,
      decode: await decodeMs(cost, bench),
      durableBody: (await runOf(cost, bench, bare)).cpuMsPerRequest,
    });
  }
  return { checks: checksOf(cost, rounds), notes: notesOf(cost, rounds) };
}

/** The code of the first ones is interpreted. */
const WARM_UP_UPLOADS = 50;

async function runOf({ photo, clients }: UploadCost, bench: Workbench, server: Server): Promise<Run> {
  const job = await bench.uploadJob(server, photo, { connections: clients, seconds: bench.seconds });
  return await measure(bench.generator, server, job);
}

async function decodeMs({ photo, clients, decodeSide }: UploadCost, bench: Workbench): Promise<number> {
  const { path } = await bench.photo(photo);
  const concurrency = Math.min(clients, availableParallelism());
  const args = [decodeSide, concurrency, bench.seconds, path].map(String);
  const env = { ...process.env, UV_THREADPOOL_SIZE };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', TSX, DECODES, ...args], {
    env,
  });
  const { decodes, cpuMs } = JSON.parse(stdout) as { readonly decodes: number; readonly cpuMs: number };
  return cpuMs / decodes;
}

function checksOf(cost: UploadCost, rounds: readonly Round[]): readonly Check[] {
  const ratio = spreadOf(rounds.map(({ service, decode, durableBody }) => service / (decode + durableBody)));
  const what = `${titleOf(cost)}: CPU to (decode alone + durable body)`;
  const checks: Check[] = [{ what, measured: ratio.median, bound: 'at most', target: 1.25 }];
  if (cost.mainThreadTarget === undefined) return checks;
  const mainThread = spreadOf(rounds.map((round) => round.mainThread / round.durableBody));
  return [
    ...checks,
    {
      what: `${titleOf(cost)}: CPU of the main thread to a durable body`,
      measured: mainThread.median,
      bound: 'at most',
      target: cost.mainThreadTarget,
      limit: MAIN_THREAD_LIMIT,
    },
  ];
}

function notesOf(cost: UploadCost, rounds: readonly Round[]): readonly Note[] {
  const parts = {
    service: 'the service',
    mainThread: 'its main thread',
    decode: 'the decode alone',
  } as const;
  const titles = { ...parts, durableBody: 'a durable body' };
  return (Object.keys(titles) as (keyof Round)[]).map((part) => ({
    what: `${titleOf(cost)}: CPU of ${titles[part]}`,
    measured: medianOf(rounds, part),
    unit: 'ms',
  }));
}

function medianOf(rounds: readonly Round[], part: keyof Round): number {
  return spreadOf(rounds.map((round) => round[part])).median;
}

function titleOf({ photo, clients }: UploadCost): string {
  return `upload of ${photo}, c=${clients}`;
}

export const UPLOAD_COST_SCENARIOS: readonly Scenario[] = COSTS.map((cost) => ({
  name: cost.name,
  run: (bench) => run(cost, bench),
}));
