import type sqlite3 from 'sqlite3';
import { type ImageReads, type OwnedColumns, selectOwnedImages } from '../records/image-row.ts';
import { openForReading } from './sqlite-database.ts';
import { SQLITE_DIALECT } from './sqlite-dialect.ts';

/** One parameter for any number of ids: one prepared statement is enough. */
const FIND_ALL_BY_ID = `${selectOwnedImages(SQLITE_DIALECT)} where images.id in (select value from json_each(?))`;

/** In WAL mode it waits for no writer. It costs a fifth of building and parsing the statement each time. */
export class SqlitePreparedReads implements ImageReads {
  private statement: Promise<sqlite3.Statement> | undefined;
  private database: sqlite3.Database | undefined;

  constructor(private readonly path: string) {}

  async findAllById(ids: readonly number[]): Promise<readonly OwnedColumns[]> {
    const statement = await this.prepareOnce();
    return await new Promise((resolve, reject) => {
      // `get` would stop at the first row and leave the statement open, and with it an old snapshot of the database.
      statement.all<OwnedColumns>(JSON.stringify(ids), (error, rows) => {
        if (error === null) resolve(rows);
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    const statement = await this.statement?.catch(() => undefined);
    await new Promise<void>((resolve) =>
      statement === undefined ? resolve() : statement.finalize(() => resolve()),
    );
    await new Promise<void>((resolve) =>
      this.database === undefined ? resolve() : this.database.close(() => resolve()),
    );
  }

  /** Opens at the first read. After a failure, the next read retries. */
  private async prepareOnce(): Promise<sqlite3.Statement> {
    this.statement ??= this.prepare().catch((error: unknown) => {
      this.statement = undefined;
      throw error;
    });
    return await this.statement;
  }

  private async prepare(): Promise<sqlite3.Statement> {
    this.database ??= await openForReading(this.path);
    const database = this.database;
    return await new Promise((resolve, reject) => {
      const statement = database.prepare(FIND_ALL_BY_ID, (error: Error | null) => {
        if (error === null) resolve(statement);
        else reject(error);
      });
    });
  }
}
