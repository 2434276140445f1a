import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { DatabaseLocation, OpenDatabase } from '../database/database-location.ts';
import { SchemaGuard } from '../database/require-schema.ts';
import { migrate } from '../schema/migrate.ts';
import { schemaOf } from '../schema/schema-of.ts';
import { copySqliteRecords } from './copy-sqlite-records.ts';
import { examineSqlite } from './examine-sqlite.ts';
import { loadSqliteDriver } from './load-sqlite-driver.ts';
import { openSqliteDatabase, openSqliteReader } from './open-sqlite-database.ts';
import { SqlitePreparedReads } from './sqlite-prepared-reads.ts';
import { SqliteSlowReads } from './sqlite-slow-reads.ts';
import { trySqliteIn } from './try-sqlite-in.ts';

const UNFIT =
  'is on a file system without the locks and the shared memory that SQLite needs, or on a disk that fails: keep it on a local disk';

/** Codes of SQLite. */
const IN_WORDS: ReadonlyArray<readonly [code: string, words: string]> = [
  [
    'SQLITE_CANTOPEN',
    'cannot be opened: it must be a file that this user may read and write, with its folder',
  ],
  ['SQLITE_READONLY', 'is read-only: this user must be able to write to it and to its folder'],
  ['SQLITE_NOTADB', 'is not a database of SQLite: correct the path, or restore a backup'],
  ['SQLITE_CORRUPT', 'is damaged: restore a backup'],
  ['SQLITE_FULL', 'is on a disk that is full: make room'],
  ['SQLITE_IOERR', UNFIT],
  ['SQLITE_PROTOCOL', UNFIT],
];

const SHAPE = 'sqlite:<path>, as in sqlite:./data/catalog.sqlite';

export class SqliteLocation implements DatabaseLocation {
  constructor(readonly file: string) {}

  get folder(): string {
    return dirname(this.file);
  }

  async identity(): Promise<string | undefined> {
    const found = await stat(this.file, { bigint: true }).catch(() => undefined);
    return found && `${found.dev}:${found.ino}`;
  }

  requireDriver(): void {
    loadSqliteDriver();
  }

  async requireExisting(): Promise<void> {
    await access(this.file, constants.R_OK);
  }

  async tryIn(folder: string): Promise<void> {
    await explaining(folder, trySqliteIn(folder));
  }

  open(): OpenDatabase {
    const knex = openSqliteDatabase(this.file);
    const reader = openSqliteReader(this.file);
    const preparedReads = new SqlitePreparedReads(this.file);
    const slowReads = new SqliteSlowReads(this.file);
    return {
      knex,
      reader,
      preparedReads,
      slowReads,
      schemaGuard: new SchemaGuard(reader),
      examine: async () => await explaining(this.file, examineSqlite(knex)),
      schema: async (migrations) => await explaining(this.file, schemaOf(knex, migrations)),
      migrate: async (migrations, calendar) =>
        await explaining(this.file, migrate(knex, migrations, calendar)),
      copyTo: async (folder, clock) => await copySqliteRecords(knex, join(folder, 'catalog.sqlite'), clock),
      close: async () => {
        await Promise.all([preparedReads.close(), slowReads.close(), reader.destroy()]);
        // Last, because the last connection that may write removes the write-ahead log.
        await knex.destroy();
      },
    };
  }

  requireCopyable(): void {}
}

/** @param path of the file or its folder, which errors of SQLite do not name */
async function explaining<T>(path: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const words = IN_WORDS.find(([code]) => error instanceof Error && error.message.includes(code))?.[1];
    throw words === undefined ? error : new Error(`${path} ${words}`);
  }
}

/** `sqlite:./catalog.sqlite` is relative to the working directory, `sqlite:///var/lib/c.sqlite` is not. */
export const SQLITE = {
  schemes: ['sqlite'],
  shape: SHAPE,
  url: z
    .string()
    .regex(/^sqlite:(?!\/\/[^/])./, `must be ${SHAPE}`)
    .transform(
      (url): DatabaseLocation => new SqliteLocation(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')),
    ),
};
