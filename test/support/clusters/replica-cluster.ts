import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { S3Bucket } from '../../../src/adapters/s3/s3-bucket.ts';
import { type TemporaryFolder, temporaryFolder } from '../fixtures/temporary-folder.ts';
import type { ImageRecord } from '../http/catalog-client.ts';
import type { CephCluster } from '../servers/ceph-cluster.ts';
import { lastingPort } from '../servers/lasting-port.ts';
import { isNginxInstalled, Nginx } from '../servers/nginx.ts';
import { PostgresServer, type TestDatabase } from '../servers/postgres-server.ts';
import { type S3Server, type S3TestBucket, sharedS3Server } from '../servers/s3-server.ts';
import { ServiceGroup } from '../servers/service-group.ts';
import {
  type Environment,
  type NodeProcess,
  type RunningService,
  spawnCommand,
} from '../servers/service-process.ts';
import { HANG_GUARD_MS } from '../time/hang-guard.ts';
import { type Progress, type StormCluster, uuidOf, type Victim } from './storm-cluster.ts';

const REPLICAS = 3;

/** One per round, repeated in a different order. */
const COMBINATIONS: ReadonlyArray<ReadonlyArray<Victim['kind']>> = [
  ['service'],
  ['gateway'],
  ['database'],
  ['service', 'gateway'],
  ['service', 'database'],
  ['gateway', 'database'],
  ['service', 'gateway', 'database'],
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** A program that the replicas need is not available on this machine. */
export class MissingPart extends Error {}

interface Parts {
  readonly postgres: PostgresServer;
  readonly ceph: CephCluster;
  readonly database: TestDatabase;
  readonly bucket: S3TestBucket;
  readonly nginx: Nginx;
  readonly folder: TemporaryFolder;
}

/** What the replicas are started with: each has a fixed port, which is in the configuration of nginx. */
interface Replica {
  readonly port: number;
  readonly folder: string;
}

/** Three services behind nginx, on a Postgres server and on the gateway of a Ceph cluster, all of which can be killed. */
export class ReplicaCluster implements StormCluster {
  /** Longer than a claim of a key, the detection of a dead connection, and the recovery of a server. */
  readonly patienceMs = HANG_GUARD_MS;
  private readonly group = new ServiceGroup();
  private deck: ReadonlyArray<ReadonlyArray<Victim['kind']>> = [];
  private isPostgresDown = false;

  private constructor(
    private readonly parts: Parts,
    private readonly replicas: readonly Replica[],
    private readonly env: Environment,
  ) {}

  /**
   * @param env what services need besides their storage
   * @throws {MissingPart}
   */
  static async open(env: Environment): Promise<ReplicaCluster> {
    const server = await requireGateway();
    const postgres = await PostgresServer.startOwn();
    if (postgres === undefined) throw new MissingPart('there is no Postgres server for this machine');
    const folder = await temporaryFolder();
    const replicas = await makeReplicas(folder.path);
    const nginx = await Nginx.start({
      upstreams: replicas.map(({ port }) => port),
      blobFolder: '/nonexistent',
    });
    const [database, bucket] = [await postgres.newDatabase(), await server.makeBucket()];
    return new ReplicaCluster({ postgres, ceph: server.cluster, database, bucket, nginx, folder }, replicas, {
      ...env,
      ...server.environment,
    });
  }

  get services(): readonly RunningService[] {
    return this.group.running;
  }

  get entrances(): readonly string[] {
    return [`http://127.0.0.1:${this.parts.nginx.port}/`];
  }

  /** The unfinished uploads of each replica, and the write-ahead log of Postgres. */
  get progress(): readonly Progress[] {
    const staging = this.replicas.map(({ folder }) => ({ folder: stagingOf(folder), maxSteps: 200 }));
    return [...staging, { folder: join(this.parts.postgres.dataFolder, 'pg_wal'), maxSteps: 200 }];
  }

  async bringUp(): Promise<void> {
    const running = new Set(this.services.map(({ url }) => url));
    const missing = this.replicas.filter(({ port }) => !running.has(urlOf(port)));
    await this.group.start(
      missing.map(({ folder, port }) => ({
        folder,
        env: { ...this.envIn(folder), PORT: String(port) },
      })),
    );
    // Before it listens, a service removes the staged files of the killed one.
    for (const { folder } of missing) {
      expect(await readdir(stagingOf(folder)), 'staged files').to.deep.equal([]);
    }
  }

  chooseVictims(random: () => number): readonly Victim[] {
    if (this.deck.length === 0) this.deck = shuffled(COMBINATIONS, random);
    const [kinds = [], ...rest] = this.deck;
    this.deck = rest;
    return kinds.flatMap((kind) => this.victimsOf(kind, random));
  }

  /** All clients connect to nginx, which may use any replica. */
  isAffected(): boolean {
    return true;
  }

  async restoreStorage(): Promise<void> {
    const { ceph, postgres } = this.parts;
    const isDown = this.isPostgresDown;
    this.isPostgresDown = false;
    await Promise.all([ceph.restart(), isDown ? postgres.start() : undefined]);
  }

  async withoutBytes(images: readonly ImageRecord[]): Promise<readonly ImageRecord[]> {
    const stored = new Set((await this.keys()).filter((key) => key.includes('blobs/')).map(uuidIn));
    return images.filter((image) => !stored.has(uuidOf(image)));
  }

  async leftovers(images: readonly ImageRecord[]): Promise<readonly string[]> {
    const recorded = new Set(images.map(uuidOf));
    const unrecorded = (await this.keys()).filter(
      (key) => key !== 'catalog-id' && !recorded.has(uuidIn(key)),
    );
    return [...unrecorded, ...(await this.staged())];
  }

  async stagedFiles(): Promise<number> {
    return (await this.staged()).length;
  }

  run(args: readonly string[]): NodeProcess {
    const { path } = this.parts.folder;
    return spawnCommand(args, {
      folder: path,
      env: { ...this.envIn(path), SWEEP_GRACE_SECONDS: '0' },
    });
  }

  async destroy(): Promise<void> {
    const { postgres, nginx, folder, bucket } = this.parts;
    await eachInTurn([
      () => this.group.killAll(),
      () => nginx.stop(),
      // Other tests use the same gateway.
      () => this.restoreStorage(),
      () => bucket.remove(),
      async () => postgres.remove(),
      () => folder.remove(),
    ]);
  }

  private async keys(): Promise<readonly string[]> {
    const bucket = new S3Bucket(this.parts.bucket.location);
    const keys: string[] = [];
    try {
      for await (const page of bucket.list('')) keys.push(...page.map(({ key }) => key));
    } finally {
      await bucket.close();
    }
    return keys;
  }

  private victimsOf(kind: Victim['kind'], random: () => number): readonly Victim[] {
    switch (kind) {
      case 'service': {
        const count = 1 + Math.floor(random() ** 2 * REPLICAS);
        return shuffled(this.services, random)
          .slice(0, count)
          .map((service) => this.group.asVictim(service));
      }
      case 'gateway':
        return [{ kind, kill: async () => await this.parts.ceph.kill('rgw') }];
      case 'database':
        return [{ kind, kill: async () => await this.killPostgres() }];
    }
  }

  private async killPostgres(): Promise<void> {
    this.isPostgresDown = true;
    await this.parts.postgres.kill();
  }

  private async staged(): Promise<readonly string[]> {
    return (await Promise.all(this.replicas.map(({ folder }) => readdir(stagingOf(folder))))).flat();
  }

  private envIn(folder: string): Environment {
    const { database, bucket } = this.parts;
    return {
      ...this.env,
      DATABASE_URL: database.url,
      BLOB_STORE_URL: bucket.url,
      STAGING_URL: `file:${stagingOf(folder)}`,
      // In the bucket.
      RENDITION_CACHE_URL: '',
    };
  }
}

function uuidIn(key: string): string {
  return UUID.exec(key)?.[0] ?? '';
}

/** Runs all of them, even if some fail. */
async function eachInTurn(steps: ReadonlyArray<() => Promise<void>>): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'Not all could be ended and removed');
}

async function requireGateway(): Promise<S3Server & { readonly cluster: CephCluster }> {
  if (!isNginxInstalled()) throw new MissingPart('nginx is not installed');
  const server = await sharedS3Server();
  if (server === undefined) {
    throw new MissingPart('no S3 server: run "npm run test:s3-server" once, or set S3_TEST_PREFIX');
  }
  if (!isOurs(server)) throw new MissingPart('the S3 server is not ours to kill');
  return server;
}

function isOurs(server: S3Server): server is S3Server & { readonly cluster: CephCluster } {
  return server.cluster !== undefined;
}

async function makeReplicas(folder: string): Promise<readonly Replica[]> {
  const replicas: Replica[] = [];
  for (let number = 1; number <= REPLICAS; number += 1) {
    const replica = { port: await lastingPort(), folder: join(folder, `replica-${number}`) };
    await mkdir(stagingOf(replica.folder), { recursive: true });
    replicas.push(replica);
  }
  return replicas;
}

/** The staging folder of a replica, on its own disk. */
function stagingOf(folder: string): string {
  return join(folder, 'staging');
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}/`;
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
