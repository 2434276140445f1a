import type sqlite3 from 'sqlite3';
import type { RowReader, SqlFragment } from '../database/sql-fragment.ts';
import { openForReading } from './open-sqlite-database.ts';

/**
 * In WAL mode it waits for no writer. It costs a fifth of building and parsing the statement each time. Each text is prepared once, so
 * there must be few of them: all values are parameters.
 */
export class SqlitePreparedReads implements RowReader {
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();
  private database: Promise<sqlite3.Database> | undefined;

  constructor(private readonly path: string) {}

  async rows<Row>({ sql: text, bindings }: SqlFragment): Promise<readonly Row[]> {
    const statement = await this.prepareOnce(text);
    return await new Promise((resolve, reject) => {
      // `get` would stop at the first row and leave the statement open, and with it an old snapshot of the database.
      statement.all<Row>(bindings, (error, rows) => {
        if (error === null) resolve(rows);
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    for (const prepared of this.statements.values()) {
      const statement = await prepared.catch(() => undefined);
      await new Promise<void>((resolve) =>
        statement === undefined ? resolve() : statement.finalize(() => resolve()),
      );
    }
    const database = await this.database?.catch(() => undefined);
    await new Promise<void>((resolve) =>
      database === undefined ? resolve() : database.close(() => resolve()),
    );
  }

  /** Opens at the first read. After a failure, the next read retries. */
  private async prepareOnce(text: string): Promise<sqlite3.Statement> {
    const prepared =
      this.statements.get(text) ??
      this.prepare(text).catch((error: unknown) => {
        this.statements.delete(text);
        throw error;
      });
    this.statements.set(text, prepared);
    return await prepared;
  }

  private async prepare(text: string): Promise<sqlite3.Statement> {
    const database = await this.openOnce();
    return await new Promise((resolve, reject) => {
      const statement = database.prepare(text, (error: Error | null) => {
        if (error === null) resolve(statement);
        else reject(error);
      });
    });
  }

  private async openOnce(): Promise<sqlite3.Database> {
    this.database ??= openForReading(this.path).catch((error: unknown) => {
      this.database = undefined;
      throw error;
    });
    return await this.database;
  }
}
