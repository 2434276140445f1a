import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Nginx } from '../test/support/nginx.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { type S3Server, sharedS3Server } from '../test/support/s3-server.ts';
import type { GetJob } from './support/jobs.ts';
import { describeMachine } from './support/machine.ts';
import { measure, type Run } from './support/measure.ts';
import { FOR_LOAD } from './support/nginx-for-load.ts';
import { reportOf } from './support/report.ts';
import { lineOf, writeResults } from './support/results.ts';
import type { Note, Outcome } from './support/scenario.ts';
import type { Server } from './support/server.ts';
import { median } from './support/statistics.ts';
import { Workbench } from './support/workbench.ts';

const USAGE = `Measures one and two processes of the service behind nginx, on Postgres and S3. Everything runs on this machine, so
with few cores the processes take them from each other: it is the trend that counts. Needs Linux, nginx and an S3 server
(CONTRIBUTING.md).

  --rounds N   interleaved rounds, default 3
  --quick      short runs
  --json FILE  where the figures go, default bench/results/replicas-<time>.json`;

const PHOTOS = 50;
const CONNECTIONS = 32;

/** So many processes of the service, as clients see them. */
interface Subject {
  readonly processes: number;
  readonly server: Server;
}

type NamedOutcome = Outcome & { readonly name: string };

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help || !(rounds >= 1)) {
    console.error(USAGE);
    return values.help ? 0 : 64;
  }
  const [postgres, s3] = [await PostgresServer.startOwn(), await sharedS3Server()];
  if (postgres === undefined || s3 === undefined) {
    console.error(USAGE);
    return 69;
  }
  const machine = describeMachine();
  console.log(`${lineOf(machine)}\n`);
  const bench = await Workbench.set({ rounds, quick: values.quick });
  try {
    const outcomes = await runAll(bench, postgres, s3);
    await writeResults('replicas', values.json, { machine, options: values, outcomes });
    return 0;
  } finally {
    await bench.clear();
    postgres.remove();
  }
}

async function runAll(
  bench: Workbench,
  postgres: PostgresServer,
  s3: S3Server,
): Promise<readonly NamedOutcome[]> {
  const [database, bucket] = [await postgres.newCatalog(), await s3.makeBucket()];
  const start = async (name: string): Promise<Server> => {
    const folder = await bench.makeFolder(name);
    const env = {
      ...s3.environment,
      DATABASE_URL: database.url,
      BLOB_STORE_URL: bucket.url,
      STAGING_URL: `file:${join(folder, 'staging')}`,
      RENDITION_CACHE_URL: '',
    };
    return await bench.startService(folder, { env });
  };
  const services = [await start('first'), await start('second')] as const;
  const front = await Promise.all([frontOf([services[0]]), frontOf(services)]);
  try {
    await bench.upload(services[0], '100KB', PHOTOS);
    const subjects = front.map(({ server }, index) => ({ processes: index + 1, server }));
    return [
      await scalingOf('record', bench, subjects, (id) => `api/image/${id}`, 300),
      await scalingOf('bytes of 100 KB', bench, subjects, (id) => `api/image/${id}/file`, 90_000),
    ];
  } finally {
    for (const { nginx } of front) await nginx.stop();
    await bench.stopServers();
    await bucket.remove();
  }
}

async function frontOf(
  services: readonly Server[],
): Promise<{ readonly nginx: Nginx; readonly server: Server }> {
  const [first, ...others] = services;
  if (first === undefined) throw new TypeError('There is nothing to stand before');
  const upstreams = services.map(({ url }) => Number(new URL(url).port));
  const nginx = await Nginx.start({ upstreams, blobFolder: '/nonexistent', changes: FOR_LOAD });
  const url = `http://127.0.0.1:${nginx.port}/`;
  return { nginx, server: { ...first, url, helpers: others.map(({ pid }) => pid) } };
}

/** Rounds over both, one after the other; the first one is for warming up. */
async function scalingOf(
  name: string,
  bench: Workbench,
  subjects: readonly Subject[],
  pathOf: (id: number) => string,
  atLeastBytes: number,
): Promise<NamedOutcome> {
  const runs = subjects.map((): Run[] => []);
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [at, { server }] of subjects.entries()) {
      const run = await measure(bench.generator, server, jobFor(bench, server, pathOf, atLeastBytes));
      if (round > 0) runs[at]?.push(run);
    }
  }
  const outcome = {
    name,
    notes: subjects.flatMap(({ processes }, at) =>
      notesOf(`${name}, ${processes} of the service`, runs[at] ?? []),
    ),
  };
  console.log(reportOf(outcome));
  return outcome;
}

function jobFor(
  bench: Workbench,
  { url }: Server,
  pathOf: (id: number) => string,
  atLeastBytes: number,
): GetJob {
  return {
    kind: 'get',
    requests: Array.from({ length: PHOTOS }, (_, index) => ({
      url: `${url}${pathOf(index + 1)}`,
      headers: bench.authorization,
    })),
    connections: CONNECTIONS,
    seconds: bench.seconds,
    status: 200,
    atLeastBytes,
  };
}

function notesOf(what: string, runs: readonly Run[]): readonly Note[] {
  const of = (figure: (run: Run) => number): number => median(runs.map(figure));
  return [
    { what: `${what}: throughput`, measured: of((run) => run.requestsPerSecond), unit: 'requests/s' },
    { what: `${what}: CPU of the service`, measured: of((run) => run.cpuMsPerRequest), unit: 'ms' },
  ];
}
