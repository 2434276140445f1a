import type { Database } from 'sqlite3';
import type { RowReader, SqlFragment } from '../database/sql-fragment.ts';
import { allRows } from './all-rows.ts';
import { openForReading } from './open-sqlite-database.ts';

/** In WAL mode it waits for no writer. It costs a fifth of building and parsing the statement each time. */
export class SqlitePreparedReads implements RowReader {
  private database: Promise<Database> | undefined;

  constructor(private readonly path: string) {}

  async rows<Row>(statement: SqlFragment): Promise<readonly Row[]> {
    return await allRows(await this.openOnce(), statement);
  }

  async close(): Promise<void> {
    const database = await this.database?.catch(() => undefined);
    await new Promise<void>((resolve) =>
      database === undefined ? resolve() : database.close(() => resolve()),
    );
  }

  /** Opens at the first read. After a failure, the next read retries. */
  private async openOnce(): Promise<Database> {
    this.database ??= openForReading(this.path).catch((error: unknown) => {
      this.database = undefined;
      throw error;
    });
    return await this.database;
  }
}
