import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { DatabaseLocation, OpenDatabase } from '../database/database-location.ts';
import { examineSqlite } from '../database/examine-database.ts';
import { migrate } from '../database/migrate.ts';
import { SchemaGuard } from '../database/require-schema.ts';
import { schemaOf } from '../database/schema-of.ts';
import { copySqliteRecords } from './copy-sqlite-records.ts';
import { openSqliteDatabase, openSqliteReader } from './sqlite-database.ts';
import { SqlitePreparedReads } from './sqlite-prepared-reads.ts';
import { SqliteSlowReads } from './sqlite-slow-reads.ts';

const SHAPE = 'sqlite:<path>, as in sqlite:./data/catalog.sqlite';

export class SqliteLocation implements DatabaseLocation {
  readonly kind = 'sqlite';

  constructor(readonly file: string) {}

  get folder(): string {
    return dirname(this.file);
  }

  async identity(): Promise<string | undefined> {
    const found = await stat(this.file, { bigint: true }).catch(() => undefined);
    return found && `${found.dev}:${found.ino}`;
  }

  async requireExisting(): Promise<void> {
    await access(this.file, constants.R_OK);
  }

  open(): OpenDatabase {
    const knex = openSqliteDatabase(this.file);
    const reader = openSqliteReader(this.file);
    const imageReads = new SqlitePreparedReads(this.file);
    const slowReads = new SqliteSlowReads(this.file);
    return {
      knex,
      reader,
      imageReads,
      slowReads,
      schemaGuard: new SchemaGuard(reader),
      examine: async () => await examineSqlite(knex),
      schema: async () => await schemaOf(knex),
      migrate: async (migrations, calendar) => await migrate(knex, migrations, calendar),
      copyTo: async (folder, clock) => await copySqliteRecords(knex, join(folder, 'catalog.sqlite'), clock),
      close: async () => {
        await Promise.all([imageReads.close(), slowReads.close(), reader.destroy()]);
        // Last, because the last connection that may write removes the write-ahead log.
        await knex.destroy();
      },
    };
  }

  requireCopyable(): void {}
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
