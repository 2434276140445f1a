import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import {
  openPostgresDatabase,
  openPostgresMigrator,
} from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import { columnsOf } from '../../src/adapters/sql/rows/image-columns.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { NewImage } from '../../src/domain/image/image.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { adoptsATimeZone } from '../contracts/adopt-time-zone.contract.ts';
import { claimed } from '../contracts/idempotency-keys.contract.ts';
import { emptied } from '../support/fixtures/emptied.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import {
  describeOnPostgres,
  type OpenDatabase,
  PostgresServer,
  useCatalog,
} from '../support/servers/postgres-server.ts';
import { type OnTheWay, Relay } from '../support/servers/relay.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

let sharedServer: () => PostgresServer;
let database: OpenDatabase;
let knex: Knex;

/** Those of other processes. */
function morePools(count: number, poolMax: number): readonly Knex[] {
  return Array.from({ length: count }, () => openPostgresDatabase({ ...database.connection, poolMax }));
}

async function ended(pools: readonly Knex[]): Promise<void> {
  await Promise.all(pools.map((pool) => pool.destroy()));
}

/** Number of statements that wait for an advisory lock. */
async function waiters(): Promise<number> {
  const [row] = await sharedServer().run(
    `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = '${database.connection.database}')`,
  );
  return Number(row?.count);
}

function useDatabase(server: () => PostgresServer): void {
  const catalog = useCatalog(server, 1, 10);

  before(() => {
    sharedServer = server;
    database = catalog();
    knex = database.knex;
  });
}

describeOnPostgres('On Postgres', (server) => {
  useDatabase(server);

  it('records one group of images after the other, however many are added together', async () => {
    await emptied(knex);
    const { images } = sqlPorts(knex);
    let begun = 0;
    let open = 0;
    let most = 0;
    const note = ({ sql }: { readonly sql: string }): void => {
      if (sql.startsWith('BEGIN')) {
        begun += 1;
        open += 1;
      }
      if (sql.startsWith('COMMIT')) open -= 1;
      most = Math.max(most, open);
    };
    knex.on('query', note);
    await Promise.all(Array.from({ length: 200 }, () => images.in(COMMON_SPACE).add(newImage())));
    knex.removeListener('query', note);
    expect(begun).to.equal(Math.ceil(200 / 32));
    expect(most).to.equal(1);
  });
});

describeOnPostgres('On Postgres', (server) => {
  useDatabase(server);

  describe('several processes', () => {
    const WRITERS = 6;
    let pools: readonly Knex[];

    beforeEach(async () => {
      await emptied(knex);
      pools = morePools(WRITERS, 4);
    });

    afterEach(() => ended(pools));

    /** Adds this many records in each process, with different clocks; some with keys. */
    async function addEverywhere(each: number): Promise<void> {
      const adding = pools.flatMap((pool, index) => {
        const clock = new ManualClock();
        clock.advance(index * 1000);
        const images = sqlPorts(pool, { clock }).images;
        const processes = { self: `process-${index}`, isGone: () => false };
        const keys = sqlPorts(pool, { clock, processes }).keys;
        return Array.from({ length: each }, async (_, key) => {
          const request = {
            space: COMMON_SPACE,
            scope: String(index),
            key: String(key),
            sha256: 'a'.repeat(64),
          };
          await images
            .in(COMMON_SPACE)
            .add(newImage(), key % 2 === 0 ? await claimed(keys, request) : undefined);
        });
      });
      await Promise.all(adding);
    }

    it('never hide an image from a client that reads on from the last id', async () => {
      const images = sqlPorts(knex).images;
      const seen: number[] = [];
      const readOn = async (): Promise<void> => {
        const page = await images.findPage({ order: 'asc', limit: 100, after: seen.at(-1) });
        seen.push(...page.map(({ id }) => id));
      };
      const adding = addEverywhere(60);
      let isAdding = true;
      const added = adding.finally(() => {
        isAdding = false;
      });
      const reading = (async () => {
        while (isStill(() => isAdding)) await readOn();
        await readOn();
      })();
      await Promise.all([added, reading]);

      const all = await knex('images').orderBy('id').pluck<Array<{ id: string }>>('id');
      expect(seen).to.have.length(WRITERS * 60);
      expect(seen).to.deep.equal(all.map(Number));
    });

    it('assign times in the order of the ids, although their clocks differ', async () => {
      await addEverywhere(20);

      const times = await knex('images').orderBy('id').pluck<string[]>('created_at');
      expect(times.map(Number)).to.deep.equal(times.map(Number).toSorted((a, b) => a - b));
    });

    it('do not record a UUID whose bytes are being removed, but record others', async () => {
      const [one, other] = pools.map((pool) => sqlPorts(pool).images);
      const image = newImage();
      let adding: Promise<unknown> | undefined;
      const removing = one?.removeUnrecorded(image.uuid, async () => {
        await other?.in(COMMON_SPACE).add(newImage());
        adding = other && rejection(other.in(COMMON_SPACE).add(image));
        await eventually(waiters, (count) => count === 1);
      });

      expect(await removing).to.equal(true);
      expect(await adding).to.be.instanceOf(StorageUnavailable);
      expect(await other?.count()).to.equal(1);
    });
  });
});

describeOnPostgres('On Postgres', (server) => {
  useDatabase(server);

  describe('a connection that is cut while the record is committed', () => {
    let relay: Relay;
    let cut: Knex | undefined;

    afterEach(async () => {
      await cut?.destroy();
      await relay.close();
    });

    /** What happens to the first COMMIT. */
    const FATES = {
      'loses the response': (commit: Buffer) => {
        relay.back = () => 'cut';
        return commit;
      },
      'is lost': () => 'cut',
      'is late': () => 'keep',
    } as const satisfies Record<string, OnTheWay>;

    /** Tries to record an image through the relay. */
    async function addThrough(fate: keyof typeof FATES): Promise<NewImage> {
      await emptied(knex);
      relay = await Relay.to(`http://127.0.0.1:${server().port}`);
      relay.there = (bytes) => {
        if (!bytes.includes('COMMIT')) return bytes;
        relay.there = (others) => others;
        return FATES[fate](bytes);
      };
      const port = Number(new URL(relay.endpoint).port);
      cut = openPostgresDatabase({ ...database.connection, host: '127.0.0.1', port });
      const image = newImage();
      const error = await rejection(sqlPorts(cut).images.in(COMMON_SPACE).add(image));
      expect(error).to.be.instanceOf(StorageUnavailable);
      return image;
    }

    it('leaves a record if the response was lost, and mayBeRecorded returns true', async () => {
      const { uuid } = await addThrough('loses the response');
      const images = sqlPorts(knex).images;

      expect(await images.mayBeRecorded(uuid)).to.equal(true);
      await eventually(
        () => images.findUuidsAmong([uuid]),
        (found) => found.size === 1,
      );
      expect(await images.removeUnrecorded(uuid, () => Promise.reject(new Error('removed')))).to.equal(false);
    });

    it('leaves no record if the commit did not arrive, and mayBeRecorded returns false when the server has noticed', async () => {
      const { uuid } = await addThrough('is lost');
      const images = sqlPorts(knex).images;

      expect(
        await eventually(
          () => images.mayBeRecorded(uuid),
          (mayBe) => !mayBe,
        ),
      ).to.equal(false);
      expect(await images.count()).to.equal(0);
    });

    it('may still create a record that is not visible yet', async () => {
      const { uuid } = await addThrough('is late');
      const images = sqlPorts(knex).images;

      expect(await images.findUuidsAmong([uuid])).to.deep.equal(new Set());
      expect(await images.mayBeRecorded(uuid)).to.equal(true);
      relay.deliver();
      expect(await images.removeUnrecorded(uuid, () => Promise.reject(new Error('removed')))).to.equal(false);
    });

    it('is replaced by a new one', async () => {
      await addThrough('is lost');
      if (cut === undefined) throw new TypeError('There is no pool');
      const images = sqlPorts(cut).images;

      await images.in(COMMON_SPACE).add(newImage());

      expect(await images.count()).to.equal(1);
    });
  });

  it('reads what was committed before it acquired a lock, at any isolation level of the session', async () => {
    await emptied(knex);
    const pool = openPostgresDatabase({ ...database.connection, poolMax: 1 });
    await pool.raw("set default_transaction_isolation = 'serializable'");
    const images = sqlPorts(pool).images;
    const { uuid } = newImage();
    let removing: Promise<boolean> | undefined;
    await knex.transaction(async (transaction) => {
      await POSTGRES_DIALECT.lockInserts(transaction, [uuid]);
      await transaction('images').insert({
        ...columnsOf(newImage({ uuid }), POSTGRES_DIALECT),
        space: 0,
        created_at: 0,
      });
      removing = images.removeUnrecorded(uuid, () => Promise.reject(new Error('removed')));
      await eventually(waiters, (count) => count === 1);
    });

    expect(await removing).to.equal(false);
    await pool.destroy();
  });
});

describeOnPostgres('On Postgres', (server) => {
  useDatabase(server);

  describe('a migration', () => {
    let migrator: Knex;

    beforeEach(async () => {
      migrator = openPostgresMigrator(database.connection);
      await migrator.raw('set statement_timeout = 100; set lock_timeout = 100');
    });

    afterEach(async () => {
      await migrator.destroy();
    });

    /** A migration that takes longer than the statement timeout. */
    async function migrateSlowly(): Promise<void> {
      const name = `slow-${newImage().uuid}`;
      const up = async (transaction: Knex): Promise<void> =>
        void (await transaction.raw('select pg_sleep(0.3)'));
      const migration = { up, down: async (): Promise<void> => {} };
      const known = await migrationSource.getMigrations([]);
      await migrate(migrator, {
        getMigrations: async () => [...known.map((each) => each.name), name],
        getMigrationName: (each: string) => each,
        getMigration: async () => migration,
      });
      await knex('knex_migrations').where({ name }).delete();
    }

    it('has no statement timeout', async () => {
      await migrateSlowly();
    });

    it('waits for another one until that ends', async () => {
      let waiting: Promise<void> | undefined;
      await knex.transaction(async (transaction) => {
        await POSTGRES_DIALECT.lockMigrations(transaction);
        waiting = migrateSlowly();
        await eventually(waiters, (count) => count === 1);
        await transaction.raw('select pg_sleep(0.3)');
      });

      await waiting;
    });

    it('does not change the limits of a shared session', async () => {
      await migrateSlowly();

      const { rows } = await migrator.raw<{ rows: unknown[] }>(
        "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock",
      );
      expect(rows).to.deep.equal([{ statement: '100ms', lock: '100ms' }]);
    });
  });

  it('configures the session of a migration like all others', async () => {
    const migrator = openPostgresMigrator(database.connection);
    const { rows } = await migrator.raw<{ rows: unknown[] }>('show statement_timeout');
    await migrator.destroy();

    expect(rows).to.deep.equal([{ statement_timeout: '30s' }]);
  });
});

describeOnPostgres('On Postgres', (server) => {
  useDatabase(server);

  describe('a session', () => {
    const SETTINGS = [
      ['statement_timeout', '30s'],
      ['lock_timeout', '5s'],
      ['idle_in_transaction_session_timeout', '10s'],
      ['default_transaction_isolation', 'read committed'],
      ['application_name', 'image-catalog'],
      ['synchronous_commit', 'on'],
    ] as const;
    for (const [setting, value] of SETTINGS) {
      it(`runs with ${setting} at ${value}`, async () => {
        expect(await settingOf(setting)).to.equal(value);
      });
    }

    it('waits for the disk although the database is configured not to', async () => {
      await withDatabaseSetting('synchronous_commit = off', async (fresh) => {
        expect(await settingOf('synchronous_commit', fresh)).to.equal('on');
      });
    });

    it('keeps a synchronous commit level that the operator has chosen', async () => {
      await withDatabaseSetting('synchronous_commit = remote_apply', async (fresh) => {
        expect(await settingOf('synchronous_commit', fresh)).to.equal('remote_apply');
      });
    });

    it('rejects with StorageUnavailable if it waits for a lock too long', async () => {
      await emptied(knex);
      const impatient = openPostgresDatabase({ ...database.connection, poolMax: 1 });
      const images = sqlPorts(impatient).images;
      await impatient.raw('set lock_timeout = 10');

      await knex.transaction(async (transaction) => {
        await transaction.raw('lock table images');
        expect(await rejection(images.in(COMMON_SPACE).add(newImage()))).to.be.instanceOf(StorageUnavailable);
      });
      await images.in(COMMON_SPACE).add(newImage());

      await impatient.destroy();
    });

    it('that does not respond is closed and replaced', async () => {
      const one = openPostgresDatabase({ ...database.connection, poolMax: 1 });
      const images = sqlPorts(one).images;
      const silent = rejection(one.raw('select pg_sleep(60)').options({ query_timeout: 50 }));

      expect((await silent).message).to.match(/Query read timeout$/);
      await images.ping({ forChanges: true });

      await one.destroy();
    });

    async function settingOf(name: string, connection = knex): Promise<unknown> {
      const { rows } = await connection.raw<{ rows: Array<Record<string, unknown>> }>(`show ${name}`);
      return rows[0]?.[name];
    }

    async function withDatabaseSetting(setting: string, look: (fresh: Knex) => Promise<void>): Promise<void> {
      const other = await sharedServer().newDatabase();
      await sharedServer().run(`alter database ${other.connection.database} set ${setting}`);
      const fresh = openPostgresDatabase(other.connection);
      try {
        await look(fresh);
      } finally {
        await fresh.destroy();
        await other.drop();
      }
    }
  });
});

/** Calls `condition`. A direct read would be narrowed by the compiler, which does not see the change. */
function isStill(condition: () => boolean): boolean {
  return condition();
}

describe('A standby that is not promoted yet', function () {
  let server: PostgresServer | undefined;
  let knex: Knex;
  let images: ImageRecords;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    const { connection } = await server.newCatalog();
    await server.restartAsStandby();
    knex = openPostgresDatabase(connection);
    images = sqlPorts(knex).images;
  });

  after(async () => {
    await knex?.destroy();
    server?.remove();
  });

  it('rejects mayBeRecorded for an unknown UUID', async () => {
    expect(await rejection(images.mayBeRecorded(newImage().uuid))).to.be.instanceOf(StorageUnavailable);
  });

  it('rejects removeUnrecorded without a removal', async () => {
    const removal = images.removeUnrecorded(newImage().uuid, () => Promise.reject(new Error('removed')));

    expect(await rejection(removal)).to.be.instanceOf(StorageUnavailable);
  });
});

describeOnPostgres('A catalog on Postgres', (server) => {
  adoptsATimeZone(async () => {
    const { knex, tearDown } = await server().openCatalog();
    return { knex, close: tearDown };
  });
});
