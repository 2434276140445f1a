import { expect } from 'chai';
import { SqliteSlowReads } from '../../src/adapters/sql/sqlite/sqlite-slow-reads.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { ENDLESS, endsSlowReads, type OpenedSlowReads } from '../contracts/slow-reads.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { settled } from '../support/time/gate.ts';

describe('SqliteSlowReads', () => {
  let opened: OpenedSlowReads & { readonly reads: SqliteSlowReads };

  async function open(): Promise<OpenedSlowReads & { readonly reads: SqliteSlowReads }> {
    const { path, tearDown } = await newSqliteCatalog();
    const reads = new SqliteSlowReads(path);
    const close = async (): Promise<void> => {
      await reads.close();
      await tearDown();
    };
    opened = { reads, close };
    return opened;
  }

  endsSlowReads(open);

  it('ends a statement when the client leaves', async () => {
    const leaving = new AbortController();
    const run = opened.reads.run({ withinMs: 60_000, stopped: leaving.signal }, (reader) => {
      void settled().then(() => leaving.abort());
      return reader.rows(ENDLESS);
    });

    expect(await rejection(run)).to.be.instanceOf(Overloaded);
  });
});
