import { join } from 'node:path';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { SqliteSlowReads } from '../../src/adapters/sql/sqlite/sqlite-slow-reads.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { ENDLESS, endsSlowReads, type OpenedSlowReads } from '../contracts/slow-reads.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

describe('SqliteSlowReads', () => {
  let opened: OpenedSlowReads & { readonly reads: SqliteSlowReads };

  async function open(): Promise<OpenedSlowReads & { readonly reads: SqliteSlowReads }> {
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
