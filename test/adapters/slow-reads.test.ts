import { expect } from 'chai';
import { sql } from '../../src/adapters/sql/database/sql-fragment.ts';
import { SqliteSlowReads } from '../../src/adapters/sql/sqlite/sqlite-slow-reads.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { settled } from '../support/time/gate.ts';

/** Counts for hours. */
const ENDLESS = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000000000) select count(*) from numbers`;
/** Why a statement is ended. */
const STOPPED = new Error('stopped');
const ONE = sql`select cast(${1} as integer) as n`;

describe('SqliteSlowReads', () => {
  let reads: SqliteSlowReads;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const { path, tearDown } = await newSqliteCatalog();
    reads = new SqliteSlowReads(path);
    close = async () => {
      await reads.close();
      await tearDown();
    };
  });

  afterEach(() => close());

  /** A statement that is stopped when it has begun, and not earlier. */
  async function endless(): Promise<Error> {
    const stopping = new AbortController();
    const rows = reads.rows(ENDLESS, stopping.signal);
    void settled().then(() => stopping.abort(STOPPED));
    return await rejection(rows);
  }

  it('end a statement when they are stopped', async () => {
    expect(await endless()).to.equal(STOPPED);
  });

  it('begin no statement if they are stopped', async () => {
    expect(await rejection(reads.rows(ONE, AbortSignal.abort(STOPPED)))).to.equal(STOPPED);
  });

  it('read again after an end', async () => {
    for (let ends = 0; ends < 3; ends += 1) await endless();

    expect(await reads.rows(ONE, STAYING)).to.deep.equal([{ n: 1 }]);
  });

  it('read beside a slow statement', async () => {
    const stopping = new AbortController();
    const slow = reads.rows(ENDLESS, stopping.signal);

    await reads.rows(ONE, STAYING);

    stopping.abort(STOPPED);
    expect(await rejection(slow)).to.equal(STOPPED);
  });

  it('throw other errors as they are', async () => {
    const rows = reads.rows(sql`select * from nothing`, STAYING);

    expect((await rejection(rows)).message).to.match(/nothing/);
  });

  it('change nothing', async () => {
    const rows = reads.rows(sql`delete from images`, STAYING);

    expect((await rejection(rows)).message).to.match(/readonly/);
  });
});
