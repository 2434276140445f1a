import { expect } from 'chai';
import supertest from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { TestService } from '../support/http/test-service.ts';
import { openFiles, openPostgresOn, storageOf } from '../support/http/test-storage.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const WRITERS = 3;
const READERS = 4;
/** The default of `DATABASE_POOL_MAX`. */
const POOL_MAX = 10;

/** Sends requests one after another until it is stopped, and keeps their statuses. */
class Traffic {
  readonly statuses: number[] = [];
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(send: () => Promise<{ readonly status: number }>) {
    this.#ended = this.#run(send);
  }

  /** Resolves when the last `count` requests since this call had the status. */
  async has(status: number, count: number): Promise<void> {
    const start = this.statuses.length;
    const last = await eventually(
      () => this.statuses.slice(start).slice(-count),
      (seen) => seen.length === count && seen.every((each) => each === status),
    );
    expect(last).to.deep.equal(Array.from({ length: count }, () => status));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(send: () => Promise<{ readonly status: number }>): Promise<void> {
    while (!this.#isStopped) this.statuses.push((await send()).status);
  }
}

/**
 * What clients see of a failover that leaves connections open, as with Aurora, a proxy or Patroni: sessions that exist stay on a server
 * that is read-only from now on, and new ones reach the new primary.
 */
class Failover {
  constructor(private readonly server: PostgresServer) {}

  /** Every session is read-only, new ones as well. */
  async begin(): Promise<void> {
    await this.server.run('alter system set default_transaction_read_only = on');
    await this.server.run('select pg_reload_conf()');
  }

  /** New sessions can write. Those that exist stay read-only for ever. */
  async promote(): Promise<void> {
    await this.#writing('alter role current_user set default_transaction_read_only = off');
  }

  async undo(): Promise<void> {
    await this.#writing('alter role current_user reset default_transaction_read_only');
    await this.server.run('alter system reset default_transaction_read_only');
    await this.server.run('select pg_reload_conf()');
  }

  async #writing(sql: string): Promise<void> {
    await this.server.run(`begin read write; ${sql}; commit`);
  }
}

describe('The service during a failover that leaves its connections open', () => {
  let server: PostgresServer | undefined;
  let failover: Failover;
  let bytes: Buffer;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    failover = new Failover(server);
    bytes = await pngPicture();
  });

  after(() => server?.remove());

  async function start(readOnly = false): Promise<TestService> {
    const openStorage = storageOf(openPostgresOn(server as PostgresServer), openFiles);
    return await TestService.start({ openStorage, readOnly });
  }

  function readiness(service: TestService): () => Promise<number> {
    const management = supertest(service.container.get(TOKENS.httpApi).managementApp.callback());
    return async () => (await management.get('/readyz')).status;
  }

  function trafficOn(service: TestService): { writers: readonly Traffic[]; readers: readonly Traffic[] } {
    const write = async () => await service.post([filePart(bytes, 'cat.png')]);
    const read = async () => await service.get('/api/images?limit=5');
    return {
      writers: Array.from({ length: WRITERS }, () => new Traffic(write)),
      readers: Array.from({ length: READERS }, () => new Traffic(read)),
    };
  }

  it('refuses uploads until there is a primary, then none any more, and never a read', async () => {
    const service = await start();
    const isReady = readiness(service);
    const { writers, readers } = trafficOn(service);
    const all = [...writers, ...readers];
    try {
      await Promise.all(writers.map((writer) => writer.has(201, 3)));
      expect(await isReady()).to.equal(200);

      await failover.begin();
      await Promise.all(writers.map((writer) => writer.has(503, 2)));
      expect(await isReady()).to.equal(503);

      await failover.promote();
      const refused = writers.map(({ statuses }) => statuses.length);
      await Promise.all(writers.map((writer) => writer.has(201, 15)));
      const late = writers.flatMap(({ statuses }, at) => statuses.slice(refused[at]));
      expect(late.filter((status) => status !== 201).length, late.join()).to.be.at.most(POOL_MAX);
      expect(await Promise.all(Array.from({ length: POOL_MAX }, isReady))).to.deep.equal(
        Array.from({ length: POOL_MAX }, () => 200),
      );

      await failover.undo();
      await Promise.all(writers.map((writer) => writer.has(201, 5)));
    } finally {
      await Promise.all(all.map((traffic) => traffic.stop()));
      await service.stop();
    }
    expect(new Set(writers.flatMap(({ statuses }) => statuses))).to.deep.equal(new Set([201, 503]));
    expect(new Set(readers.flatMap(({ statuses }) => statuses))).to.deep.equal(new Set([200]));
  });

  it('is ready and reads with READ_ONLY while the database is read-only', async () => {
    const service = await start(true);
    const isReady = readiness(service);
    try {
      await failover.begin();
      for (let request = 0; request < POOL_MAX; request += 1) {
        expect((await service.get('/api/images')).status).to.equal(200);
        expect(await isReady()).to.equal(200);
      }
    } finally {
      await failover.undo();
      await service.stop();
    }
  });
});
