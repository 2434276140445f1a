import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../../migrations/migration-source.ts';
import { migrate } from '../../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase } from '../../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import './bound-values.ts';

/** An empty catalog in a file of its own. */
export interface SqliteCatalog {
  readonly knex: Knex;
  readonly other: Knex;
  /** Of one process each. */
  readonly knexes: readonly [Knex, ...Knex[]];
  readonly path: string;
  readonly tearDown: () => Promise<void>;
}

let template: Promise<Buffer> | undefined;

/** A copy of a database that is migrated once for all tests of a process. */
export async function newSqliteCatalog(processes = 1): Promise<SqliteCatalog> {
  template ??= migratedFile();
  const folder = await temporaryFolder();
  const path = join(folder.path, 'catalog.sqlite');
  await writeFile(path, await template);
  const open = (): Knex => openSqliteDatabase(path);
  const knexes: [Knex, ...Knex[]] = [open(), ...Array.from({ length: processes - 1 }, open)];
  const [knex] = knexes;
  // Only for this connection of the tests: its records need not survive a power cut.
  await knex.raw('PRAGMA synchronous = OFF');
  return {
    knex,
    other: knexes.at(-1) as Knex,
    knexes,
    path,
    tearDown: async () => {
      for (const each of knexes) await each.destroy();
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
