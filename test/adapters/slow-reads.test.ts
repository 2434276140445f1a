import { join } from 'node:path';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres-database.ts';
import { PostgresSlowReads } from '../../src/adapters/sql/postgres-slow-reads.ts';
import type { SlowReads } from '../../src/adapters/sql/slow-reads.ts';
import { sql } from '../../src/adapters/sql/sql-fragment.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite-database.ts';
import { SqliteSlowReads } from '../../src/adapters/sql/sqlite-slow-reads.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { STAYING, UNLIMITED } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';

/** Counts for hours. */
const ENDLESS = sql(
  'with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000000000) select count(*) from numbers',
);
const ONE = sql('select cast(? as integer) as n', 1);
const SHORT_MS = 30;

interface Opened {
  readonly reads: SlowReads;
  readonly close: () => Promise<void>;
}

function endsSlowReads(open: () => Promise<Opened>): void {
  let opened: Opened;
  let reads: SlowReads;

  beforeEach(async () => {
    opened = await open();
    reads = opened.reads;
  });

  afterEach(() => opened.close());

  async function endless(stopped: AbortSignal): Promise<Error> {
    return await rejection(reads.run({ withinMs: SHORT_MS, stopped }, (reader) => reader.rows(ENDLESS)));
  }

  it('ends a statement when its time is over', async () => {
    expect(await endless(AbortSignal.timeout(SHORT_MS))).to.be.instanceOf(Overloaded);
  });

  it('begins no statement when it is stopped', async () => {
    const run = reads.run({ withinMs: 60_000, stopped: AbortSignal.abort() }, (reader) => reader.rows(ONE));

    expect(await rejection(run)).to.be.instanceOf(Overloaded);
  });

  it('reads again after an end', async () => {
    for (let ends = 0; ends < 3; ends += 1) await endless(AbortSignal.timeout(SHORT_MS));

    const rows = await reads.run(UNLIMITED, (reader) => reader.rows<{ readonly n: number }>(ONE));

    expect(rows).to.deep.equal([{ n: 1 }]);
  });

  it('reads beside a slow statement', async () => {
    const slow = endless(AbortSignal.timeout(10 * SHORT_MS));

    await reads.run(UNLIMITED, (reader) => reader.rows(ONE));

    expect(await slow).to.be.instanceOf(Overloaded);
  });

  it('throws other errors as they are', async () => {
    const run = reads.run(UNLIMITED, (reader) => reader.rows(sql('select * from nothing')));

    expect((await rejection(run)).message).to.match(/nothing/);
  });

  it('changes nothing', async () => {
    const run = reads.run(UNLIMITED, (reader) => reader.rows(sql('delete from images')));

    expect((await rejection(run)).message).to.match(/read-?only/);
  });
}

describe('SqliteSlowReads', () => {
  let opened: Opened & { readonly reads: SqliteSlowReads };

  async function open(): Promise<Opened & { readonly reads: SqliteSlowReads }> {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'catalog.sqlite');
    const knex = openSqliteDatabase(path);
    await migrate(knex, migrationSource);
    const reads = new SqliteSlowReads(path);
    const close = async (): Promise<void> => {
      await reads.close();
      await knex.destroy();
      await folder.remove();
    };
    opened = { reads, close };
    return opened;
  }

  endsSlowReads(open);

  it('ends a statement when the client leaves', async () => {
    const leaving = new AbortController();
    const run = opened.reads.run({ withinMs: 60_000, stopped: leaving.signal }, (reader) => {
      setImmediate(() => leaving.abort());
      return reader.rows(ENDLESS);
    });

    expect(await rejection(run)).to.be.instanceOf(Overloaded);
  });
});

describeOnPostgres('PostgresSlowReads', (server) => {
  endsSlowReads(async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
    const close = async (): Promise<void> => {
      await knex.destroy();
      await database.drop();
    };
    return { reads: new PostgresSlowReads(knex), close };
  });

  it('ends a statement at the time limit alone', async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase({ ...database.connection, poolMax: 1 });
    const limit = { withinMs: SHORT_MS, stopped: STAYING };
    const run = new PostgresSlowReads(knex).run(limit, (reader) => reader.rows(ENDLESS));

    expect(await rejection(run)).to.be.instanceOf(Overloaded);
    await knex.destroy();
    await database.drop();
  });
});
