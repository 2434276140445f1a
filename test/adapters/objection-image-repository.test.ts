import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { sql } from '../../src/adapters/sql/database/sql-fragment.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SqlitePreparedReads } from '../../src/adapters/sql/sqlite/sqlite-prepared-reads.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import type { ImagePageQuery, ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type SqlPorts, sqlPorts } from '../support/fixtures/sql-ports.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { newSqliteCatalog, type SqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const FIRST_PAGE: ImagePageQuery = { order: 'asc', limit: 10 };

describe('SqlitePreparedReads', () => {
  it('fails while there is no database, then reads when there is one', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'later.sqlite');
    const reads = new SqlitePreparedReads(path);
    const all = sql`select id from images`;
    await rejection(reads.rows(all));
    const knex = openSqliteDatabase(path);
    await migrate(knex, migrationSource);
    const { id } = await sqlPorts(knex).images.in(COMMON_SPACE).add(newImage());
    expect(await reads.rows(all)).to.deep.equal([{ id }]);
    await reads.close();
    await knex.destroy();
    await folder.remove();
  });
});

it('A backup on SQLite has the records of one moment, which are counted, read in pages and removed in it alone', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const original = sqlPorts(knex, { clock }).images;
  const [kept, removed] = [await addImage(original), await addImage(original)];
  const copy = await copySqliteRecords(knex, `${path}.copy`, clock);
  await addImage(original);

  expect(await copy.images.in(COMMON_SPACE).removeById(removed.id)).to.equal(true);

  expect(await copy.images.count()).to.equal(1);
  expect(await copy.images.findPage(FIRST_PAGE)).to.deep.equal([{ ...kept, space: COMMON_SPACE }]);
  expect(await original.count()).to.equal(3);
  await copy.close();
  await tearDown();
});

async function addImage(records: ImageRecords): Promise<CatalogImage> {
  return await records.in(COMMON_SPACE).add(newImage());
}

let database: SqliteCatalog;
let knex: Knex;
let images: ImageRecords;
const clock = new ManualClock();

function useDatabase(): void {
  beforeEach(async () => {
    database = await newSqliteCatalog();
    knex = database.knex;
    images = sqlPorts(knex, { clock }).images;
  });

  afterEach(async () => {
    await database.tearDown();
  });
}

describe('ObjectionImageRepository on SQLite', () => {
  useDatabase();

  const PRAGMAS = [
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['busy_timeout', 5000],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['application_id', 0x49436174],
  ] as const;
  for (const [pragma, value] of PRAGMAS) {
    it(`runs with ${pragma} at ${value}`, async () => {
      // Not that of the tests, which does not wait for the disk.
      const own = openSqliteDatabase(database.path);
      const [row] = await own.raw<object[]>(`PRAGMA ${pragma}`);
      await own.destroy();
      expect(Object.values(row ?? {})).to.deep.equal([value]);
    });
  }

  it('records concurrent images with one statement per table', async () => {
    const inserts: string[] = [];
    knex.on('query', ({ sql }: Knex.Sql) => {
      if (sql.startsWith('insert')) inserts.push(sql.replaceAll('`', '').split(' ')[2] ?? '');
    });
    await Promise.all(
      Array.from({ length: 21 }, () => images.in(COMMON_SPACE).add(newImage({ hashes: imageHashes() }))),
    );
    expect(inserts).to.deep.equal([
      'images',
      'image_appearances',
      'image_metadata',
      'words',
      'image_words',
      'timeline_days',
      'changes',
    ]);
  });

  it('records the other images of a group if the database rejects one', async () => {
    const { uuid } = await images.in(COMMON_SPACE).add(newImage());
    const outcomes = await Promise.allSettled([
      images.in(COMMON_SPACE).add(newImage()),
      images.in(COMMON_SPACE).add(newImage()),
      images.in(COMMON_SPACE).add(newImage({ uuid })),
      images.in(COMMON_SPACE).add(newImage()),
    ]);
    const states = outcomes.map(({ status }) => status);
    expect(states).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await images.count()).to.equal(4);
  });
});

describe('A look-up of bytes that a space has very often', () => {
  useDatabase();

  const often = '0'.repeat(64);

  async function addOften(copies: number): Promise<void> {
    await knex.raw(
      `insert into images
        (id, space, media_type, created_at, size, width, height, blob_uuid, sha256, thumbhash_bytes, original_name)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      select n, 0, 1, 0, 1, 1, 1, randomblob(16), zeroblob(32), zeroblob(5), 'cat.jpg' from numbers`,
      [copies],
    );
  }

  it('reads 10,000 ids in a statement: other reads wait for one of them', async () => {
    const once = 'a'.repeat(64);
    await addOften(25_000);
    const { id } = await images.in(COMMON_SPACE).add(newImage({ sha256: once }));
    const lengths: number[] = [];
    knex.on('query-response', (rows: ReadonlyArray<{ readonly ids?: string }>) => {
      lengths.push(rows.reduce((sum, { ids = '' }) => sum + ids.split(',').length, 0));
    });

    const found = await images.in(COMMON_SPACE).findIdsBySha256([often, 'b'.repeat(64), once]);

    expect([...found.keys()]).to.deep.equal([often, once]);
    expect(found.get(often)).to.deep.equal(Array.from({ length: 25_000 }, (_, at) => at + 1));
    expect(found.get(once)).to.deep.equal([id]);
    expect(Math.max(...lengths)).to.equal(10_000);
  });

  it('looks for other bytes together, by their index, after the database has counted its rows', async () => {
    await addOften(25_000);
    await knex.raw('analyze');
    const others = Array.from({ length: 400 }, (_, at) => `ff${String(at).padStart(62, '0')}`);
    const { id } = await images.in(COMMON_SPACE).add(newImage({ sha256: others[399] as string }));
    const statements: Knex.Sql[] = [];
    knex.on('query', (statement: Knex.Sql) => statements.push(statement));

    const found = await images.in(COMMON_SPACE).findIdsBySha256([often, ...others]);

    expect([...found.keys()]).to.deep.equal([often, others[399]]);
    expect(found.get(others[399] as string)).to.deep.equal([id]);
    expect(statements).to.have.length.below(10);
    for (const { sql: text, bindings } of statements.slice()) {
      const plan = await knex.raw<Array<{ detail: string }>>(`explain query plan ${text}`, [...bindings]);
      expect(plan.map(({ detail }) => detail).join('\n')).to.include('images_space_sha256_index');
    }
  });
});

describe('ObjectionImageRepository on a shared SQLite file', () => {
  useDatabase();

  it('does not reuse the id of an image that was deleted before a restart, and keeps the others', async () => {
    const kept = await images.in(COMMON_SPACE).add(newImage());
    const { id } = await images.in(COMMON_SPACE).add(newImage());
    await images.in(COMMON_SPACE).removeById(id);
    await knex.destroy();
    const reopened = openSqliteDatabase(database.path);
    await migrate(reopened, migrationSource);
    const restarted = sqlPorts(reopened, { clock }).images.in(COMMON_SPACE);

    expect(await restarted.findById(kept.id)).to.deep.equal(kept);
    expect((await restarted.add(newImage())).id).to.be.greaterThan(id);
    await reopened.destroy();
  });

  describe('with another connection to the same file', () => {
    let other: Knex;

    beforeEach(async () => {
      other = openSqliteDatabase(database.path);
      await other.raw('select 1');
    });

    afterEach(async () => {
      await other.destroy();
    });

    /** Holds the write lock while `call` runs; `call` must not wait for the lock. */
    async function whileLocked<T>(call: () => Promise<T>): Promise<T> {
      await knex.raw('PRAGMA busy_timeout = 1');
      await other.raw('BEGIN IMMEDIATE');
      try {
        return await call();
      } finally {
        await other.raw('ROLLBACK');
      }
    }

    it('assigns different ids over both', async () => {
      const others = sqlPorts(other, { clock }).images;

      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? images : others).in(COMMON_SPACE).add(newImage()),
        ),
      );

      expect(new Set(added.map(({ id }) => id)).size).to.equal(20);
    });

    it('rejects add with StorageUnavailable if the other holds the lock for longer than the timeout, and adds again afterwards', async () => {
      const error = await whileLocked(() => rejection(images.in(COMMON_SPACE).add(newImage())));

      expect(error).to.be.instanceOf(StorageUnavailable).with.property('cause').that.is.instanceOf(Error);
      expect(await images.count()).to.equal(0);
      await images.in(COMMON_SPACE).add(newImage());
      expect(await images.count()).to.equal(1);
    });

    it('rejects removeById with StorageUnavailable if the other holds the lock for longer than the timeout', async () => {
      const { id } = await images.in(COMMON_SPACE).add(newImage());

      const error = await whileLocked(() => rejection(images.in(COMMON_SPACE).removeById(id)));

      expect(error).to.be.instanceOf(StorageUnavailable);
      expect(await images.count()).to.equal(1);
    });

    it('reads what the other has added, also while it writes', async () => {
      const added = await sqlPorts(other, { clock }).images.in(COMMON_SPACE).add(newImage());

      expect(await whileLocked(() => images.findPage(FIRST_PAGE))).to.deep.equal([
        { ...added, space: COMMON_SPACE },
      ]);
    });
  });
});

describe('A catalog in a file that is not a database', () => {
  const KEY = { space: COMMON_SPACE, scope: 'alice', key: 'a key', sha256: 'b'.repeat(64) };
  let folder: TemporaryFolder;
  let broken: Knex;

  beforeEach(async () => {
    folder = await temporaryFolder();
    const path = join(folder.path, 'catalog.sqlite');
    await writeFile(path, 'not a database at all, but long enough for a header'.repeat(100));
    broken = openSqliteDatabase(path);
  });

  afterEach(async () => {
    await broken.destroy();
    await folder.remove();
  });

  const CALLS: Readonly<Record<string, (ports: SqlPorts) => Promise<unknown>>> = {
    add: ({ images }) => images.in(COMMON_SPACE).add(newImage()),
    findById: ({ images }) => images.findById(1),
    findPage: ({ images }) => images.findPage(FIRST_PAGE),
    count: ({ images }) => images.count(),
    removeById: ({ images }) => images.in(COMMON_SPACE).removeById(1),
    restore: ({ images }) =>
      images.restore([
        { ...newImage(), space: COMMON_SPACE, createdBy: null, id: 1, createdAt: clock.now() },
      ]),
    highestId: ({ images }) => images.highestId(),
    reserveIds: ({ images }) => images.reserveIds(1),
    findUuidsAmong: ({ images }) => images.findUuidsAmong([newImage().uuid]),
    mayBeRecorded: ({ images }) => images.mayBeRecorded(newImage().uuid),
    removeUnrecorded: ({ images }) => images.removeUnrecorded(newImage().uuid, async () => {}),
    ping: ({ images }) => images.ping({ forChanges: true }),
    claim: ({ keys }) => keys.claim(KEY),
    release: ({ keys }) => keys.release({ ...KEY, token: 'a token' }),
    removeClaimedBefore: ({ keys }) => keys.removeClaimedBefore(new Date()),
    find: ({ keys }) => keys.find(KEY),
  };
  for (const [method, call] of Object.entries(CALLS)) {
    it(`rejects ${method} with StorageUnavailable`, async () => {
      expect(await rejection(call(sqlPorts(broken)))).to.be.instanceOf(StorageUnavailable);
    });
  }
});
