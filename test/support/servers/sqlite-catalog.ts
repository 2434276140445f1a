import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../../migrations/migration-source.ts';
import { migrate } from '../../../src/adapters/sql/database/migrate.ts';
import { openSqliteDatabase } from '../../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import './bound-values.ts';

/** An empty catalog in a file of its own. */
export interface SqliteCatalog {
  readonly knex: Knex;
  readonly path: string;
  readonly tearDown: () => Promise<void>;
}

let template: Promise<Buffer> | undefined;

/** A copy of a database that is migrated once for all tests of a process. */
export async function newSqliteCatalog(): Promise<SqliteCatalog> {
  template ??= migratedFile();
  const folder = await temporaryFolder();
  const path = join(folder.path, 'catalog.sqlite');
  await writeFile(path, await template);
  const knex = openSqliteDatabase(path);
  // Only for this connection of the tests: its records need not survive a power cut.
  await knex.raw('PRAGMA synchronous = OFF');
  return {
    knex,
    path,
    tearDown: async () => {
      await knex.destroy();
      await folder.remove();
    },
  };
}

async function migratedFile(): Promise<Buffer> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'template.sqlite');
  const knex = openSqliteDatabase(path);
  await migrate(knex, migrationSource);
  // Closing it writes everything into the file.
  await knex.destroy();
  const bytes = await readFile(path);
  await folder.remove();
  return bytes;
}
