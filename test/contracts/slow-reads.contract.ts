import { expect } from 'chai';
import type { SlowReads } from '../../src/adapters/sql/database/slow-reads.ts';
import { sql } from '../../src/adapters/sql/database/sql-fragment.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { UNLIMITED } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { soonOver } from '../support/time/soon-over.ts';

/** Counts for hours. */
export const ENDLESS = sql(
  'with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000000000) select count(*) from numbers',
);
const ONE = sql('select cast(? as integer) as n', 1);
export const SHORT_MS = 30;

export interface OpenedSlowReads {
  readonly reads: SlowReads;
  readonly close: () => Promise<void>;
}

export function endsSlowReads(open: () => Promise<OpenedSlowReads>): void {
  let opened: OpenedSlowReads;
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
    expect(await endless(soonOver())).to.be.instanceOf(Overloaded);
  });

  it('begins no statement when it is stopped', async () => {
    const run = reads.run({ withinMs: 60_000, stopped: AbortSignal.abort() }, (reader) => reader.rows(ONE));

    expect(await rejection(run)).to.be.instanceOf(Overloaded);
  });

  it('reads again after an end', async () => {
    for (let ends = 0; ends < 3; ends += 1) await endless(soonOver());

    const rows = await reads.run(UNLIMITED, (reader) => reader.rows<{ readonly n: number }>(ONE));

    expect(rows).to.deep.equal([{ n: 1 }]);
  });

  it('reads beside a slow statement', async () => {
    const over = new AbortController();
    const slow = rejection(
      reads.run({ withinMs: UNLIMITED.withinMs, stopped: over.signal }, (reader) => reader.rows(ENDLESS)),
    );

    await reads.run(UNLIMITED, (reader) => reader.rows(ONE));
    over.abort();

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
