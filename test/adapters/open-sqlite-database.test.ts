import { existsSync } from 'node:fs';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const DESCRIPTORS = '/proc/self/fd';

describe('openSqliteDatabase', () => {
  it('needs no temporary folder to undo a statement, also after migrations', async () => {
    const knex = openSqliteDatabase(':memory:');
    const stores = [await knex.raw('PRAGMA temp_store')];
    await migrate(knex, migrationSource);
    stores.push(await knex.raw('PRAGMA temp_store'));
    await knex.destroy();

    expect(stores).to.deep.equal([[{ temp_store: 2 }], [{ temp_store: 2 }]]);
  });

  it('closes a connection that it cannot prepare', async function () {
    if (!existsSync(DESCRIPTORS)) skipAloud(this, `there is no ${DESCRIPTORS}`);
    const folder = await temporaryFolder();
    const path = join(folder.path, 'notes.txt');
    await writeFile(path, 'This is no database. '.repeat(100));
    const knex = openSqliteDatabase(path);

    const error = await rejection(knex.raw('select 1'));
    const open = await openFiles();
    await knex.destroy();
    await folder.remove();

    expect(String(error)).to.include('SQLITE_NOTADB');
    expect(open).to.not.include(path);
  });
});

async function openFiles(): Promise<readonly string[]> {
  const names = await readdir(DESCRIPTORS);
  return await Promise.all(names.map((name) => readlink(join(DESCRIPTORS, name)).catch(() => '')));
}
