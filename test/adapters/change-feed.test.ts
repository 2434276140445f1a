import { expect } from 'chai';
import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import { dialectOf } from '../../src/adapters/sql/database/dialect-of.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlMetadataStore } from '../../src/adapters/sql/search/sql-metadata-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { behavesLikeAChangeFeed, type ChangeFeedUnderTest } from '../contracts/change-feed.contract.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { describeOnPostgres, type PostgresServer } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const SPACE = 'alpha' as Space;
const UTC = new Calendar('UTC');

function onSql(knex: Knex, others: readonly Knex[]): Omit<ChangeFeedUnderTest, 'tearDown'> {
  const clock = new ManualClock();
  return {
    changes: new SqlChangeFeed(knex),
    images: [
      new ObjectionImageRepository(knex, clock),
      ...others.map((other) => new ObjectionImageRepository(other, clock)),
    ],
    metadata: new SqlMetadataStore(knex, clock, UTC),
    clock,
  };
}

behavesLikeAChangeFeed('InMemoryChanges', async () => {
  const clock = new ManualClock();
  const images = new InMemoryImageRepository(clock, new InMemoryIdempotencyKeys(clock));
  const metadata = new InMemoryMetadata(images);
  return { changes: images.changes, images: [images], metadata, clock, tearDown: async () => {} };
});

behavesLikeAChangeFeed('SqlChangeFeed on SQLite', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const others = [1, 2].map(() => openSqliteDatabase(path));
  return {
    ...onSql(knex, others),
    tearDown: async () => {
      for (const other of others) await other.destroy();
      await tearDown();
    },
  };
});

describeOnPostgres('On Postgres', (server) => {
  behavesLikeAChangeFeed('SqlChangeFeed', async () => {
    const database = await server().newCatalog();
    const { connection } = database;
    const [knex, ...others] = [1, 2, 3].map(() => openPostgresDatabase({ ...connection, poolMax: 3 }));
    if (knex === undefined) throw new TypeError('Three were opened');
    return {
      ...onSql(knex, others),
      tearDown: async () => {
        for (const pool of [knex, ...others]) await pool.destroy();
        await database.drop();
      },
    };
  });
});

/** Statements that know nothing of the feed. */
function joinsAllStatements(open: () => Promise<{ knex: Knex; tearDown: () => Promise<void> }>): void {
  it('has what any statement writes, with the space of the image and the time of the database', async () => {
    const { knex, tearDown } = await open();
    const clock = new ManualClock(new Date('2001-01-01T00:00:00Z'));
    const { id } = await new ObjectionImageRepository(knex, clock).in(SPACE).add(newImage());
    await knex('image_metadata').update({ title: 'cat', version: 2 }).where({ image_id: id });
    await knex('image_metadata').update({ title: 'cat' }).where({ image_id: id });
    await knex('images').delete().where({ id });
    const { changes = [] } = (await new SqlChangeFeed(knex).readPage(undefined, 10)) ?? {};
    const age = Date.now() - (changes[2]?.at.getTime() ?? 0);
    await tearDown();

    const found = changes.map(({ type, imageId, version, by, space }) => [type, imageId, version, by, space]);
    expect(found).to.deep.equal([
      ['image.created', id, undefined, null, SPACE],
      ['image.updated', id, 2, null, SPACE],
      ['image.deleted', id, undefined, null, SPACE],
    ]);
    expect(Math.abs(age)).to.be.below(60_000);
    expect(new Set(changes.map(({ position }) => position.mark)).size).to.equal(3);
  });
}

/** What a page costs does not depend on the changes of other spaces. */
function readsBesideBusySpaces(open: () => Promise<{ knex: Knex; tearDown: () => Promise<void> }>): void {
  it('reads a page of a space through its index, also if another space has nearly all changes', async () => {
    const { knex, tearDown } = await open();
    const dialect = dialectOf(knex);
    await knex('spaces').insert(['busy', 'quiet'].map((name) => ({ name })));
    await knex.raw(
      `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 20000)
      insert into changes (number, kind, image_id, space)
      select number, 1, number, (select id from spaces where name = 'busy') from numbers`,
    );
    const statements: string[] = [];
    knex.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql));
    await new SqlChangeFeed(knex).in('quiet' as Space).readPage({ number: 3, mark: 1 }, 100);
    const isPostgres = dialect === POSTGRES_DIALECT;
    // The service keeps no statistics on SQLite.
    if (isPostgres) await knex.raw('analyze changes');
    const explain = isPostgres ? 'explain' : 'explain query plan';
    const plan = await knex.raw(`${explain} ${statements[0]?.replace(/\$\d/g, '?')}`, [3, 'quiet', 3, 101]);
    await tearDown();

    const text = JSON.stringify(plan);
    expect(text).to.contain('changes_space_index');
    expect(text).to.match(/space=\? AND number>\?|space = ANY \(.*?\) AND \(number > /);
    // Those of the whole page alone.
    expect(text.match(/TEMP B-TREE|Sort Key/g)).to.have.length(isPostgres ? 1 : 3);
  });
}

async function newPostgresCatalog(
  server: PostgresServer,
): Promise<{ knex: Knex; tearDown: () => Promise<void> }> {
  const database = await server.newCatalog();
  const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
  return {
    knex,
    tearDown: async () => {
      await knex.destroy();
      await database.drop();
    },
  };
}

describe('The feed of changes on SQLite', () => {
  joinsAllStatements(newSqliteCatalog);
  readsBesideBusySpaces(newSqliteCatalog);
});

describeOnPostgres('The feed of changes on Postgres', (server) => {
  /** Statements that wait for an advisory lock. */
  async function waitersIn(database: string): Promise<number> {
    const [row] = await server().run(
      `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and not granted and datname = '${database}'`,
    );
    return Number(row?.count);
  }

  joinsAllStatements(async () => await newPostgresCatalog(server()));
  readsBesideBusySpaces(async () => await newPostgresCatalog(server()));

  it('waits for the lock of changes before it draws a number, whoever writes', async () => {
    const database = await server().newCatalog();
    const { connection } = database;
    const knex = openPostgresDatabase({ ...connection, poolMax: 3 });
    const images = new ObjectionImageRepository(knex, new ManualClock()).in(COMMON_SPACE);
    const [{ id }, other] = [await images.add(newImage()), await images.add(newImage())];
    const first = await knex.transaction();
    await first('image_metadata').update({ version: 2 }).where({ image_id: id });
    const second = Promise.resolve(knex('images').delete().where({ id: other.id }));
    const waiting = await eventually(
      () => waitersIn(connection.database),
      (count) => count > 0,
    );
    await first('image_metadata').update({ version: 3 }).where({ image_id: id });
    await first.commit();
    await second;
    expect(waiting).to.equal(1);
    const { changes = [] } = (await new SqlChangeFeed(knex).readPage(undefined, 10)) ?? {};
    await knex.destroy();
    await database.drop();

    expect(changes.map(({ type, position }) => [position.number, type])).to.deep.equal([
      [1, 'image.created'],
      [2, 'image.created'],
      [3, 'image.updated'],
      [4, 'image.updated'],
      [5, 'image.deleted'],
    ]);
  });
});
