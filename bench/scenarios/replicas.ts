import { join } from 'node:path';
import { isNginxInstalled, Nginx } from '../../test/support/servers/nginx.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import { type S3Server, sharedS3Server } from '../../test/support/servers/s3-server.ts';
import { FOR_LOAD } from '../support/nginx-for-load.ts';
import { costNotes, interleavedCosts } from '../support/rounds.ts';
import { type NamedOutcome, type Outcome, outcomeOf, type ScenarioName } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';

const PHOTOS = 50;
const CONNECTIONS = 32;

interface Reads extends ScenarioName {
  readonly about: string;
  readonly pathOf: (id: number) => string;
  readonly atLeastBytes: number;
}

const READS: readonly Reads[] = [
  { name: 'record', about: 'record', pathOf: (id) => `api/image/${id}`, atLeastBytes: 300 },
  {
    name: 'bytes',
    about: 'bytes of 100 KB',
    pathOf: (id) => `api/image/${id}/file`,
    atLeastBytes: 90_000,
  },
];

/** With few cores the processes compete for them, so the figures show a trend only. */
export const replicas: Suite = {
  about: 'one and two processes behind nginx, on Postgres and S3; needs nginx and an S3 server',
  scenarios: READS,
  run,
};

async function* run(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const s3 = isNginxInstalled() ? await sharedS3Server() : undefined;
  const postgres = s3 && (await PostgresServer.startOwn());
  if (s3 === undefined || postgres === undefined) {
    throw new MissingPrerequisite('nginx, an S3 server or Postgres is missing: see CONTRIBUTING.md');
  }
  try {
    const bucket = await s3.makeBucket();
    try {
      const services = await startServices(bench, s3, postgres, bucket.url);
      await bench.upload(services[0], '100KB', PHOTOS);
      yield* runBehindNginx(bench, services, names);
    } finally {
      await bench.stopServers();
      await bucket.remove();
    }
  } finally {
    postgres.remove();
  }
}

/** Two processes with the same records and blobs. */
async function startServices(
  bench: Workbench,
  s3: S3Server,
  postgres: PostgresServer,
  bucketUrl: string,
): Promise<readonly [Server, Server]> {
  const database = await postgres.newCatalog();
  const start = async (name: string): Promise<Server> => {
    const folder = await bench.makeFolder(name);
    const env = {
      ...s3.environment,
      DATABASE_URL: database.url,
      BLOB_STORE_URL: bucketUrl,
      STAGING_URL: `file:${join(folder, 'staging')}`,
      RENDITION_CACHE_URL: '',
    };
    return await bench.startService(folder, { env });
  };
  return [await start('first'), await start('second')];
}

async function* runBehindNginx(
  bench: Workbench,
  [first, second]: readonly [Server, Server],
  names: readonly string[],
): AsyncGenerator<NamedOutcome> {
  const nginxOfOne = await startNginx([first]);
  const nginxOfTwo = await startNginx([first, second]);
  const fronts = [
    { ...first, url: urlOf(nginxOfOne) },
    { ...first, url: urlOf(nginxOfTwo), helpers: [second.pid] },
  ];
  try {
    for (const reads of READS) {
      if (names.includes(reads.name)) {
        yield await outcomeOf(reads.name, () => scalingOf(bench, fronts, reads));
      }
    }
  } finally {
    await nginxOfOne.stop();
    await nginxOfTwo.stop();
  }
}

async function startNginx(services: readonly Server[]): Promise<Nginx> {
  const upstreams = services.map(({ url }) => Number(new URL(url).port));
  return await Nginx.start({ upstreams, blobFolder: '/nonexistent', changes: FOR_LOAD });
}

function urlOf({ port }: Nginx): string {
  return `http://127.0.0.1:${port}/`;
}

async function scalingOf(
  bench: Workbench,
  fronts: readonly Server[],
  { about, pathOf, atLeastBytes }: Reads,
): Promise<Outcome> {
  const paths = Array.from({ length: PHOTOS }, (_, index) => pathOf(index + 1));
  const subjects = fronts.map((server) => ({
    server,
    job: bench.getJob(server, paths, { connections: CONNECTIONS, atLeastBytes }),
  }));
  const costs = await interleavedCosts(bench, async () => subjects);
  return { notes: costs.flatMap((cost, at) => costNotes(`${about}, processes: ${at + 1}`, cost)) };
}
