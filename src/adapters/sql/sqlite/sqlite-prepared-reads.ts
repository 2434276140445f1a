import type sqlite3 from 'sqlite3';
import type { NameRow } from '../names/name-row.ts';
import {
  type NamedImageRow,
  type NameKey,
  type NameReads,
  selectNamedImages,
  selectNumberedNames,
} from '../names/named-image-row.ts';
import { type ImageReads, type OwnedColumns, selectOwnedImages } from '../records/image-row.ts';
import { sql } from '../database/sql-fragment.ts';
import { openForReading } from './sqlite-database.ts';
import { SQLITE_DIALECT } from './sqlite-dialect.ts';

/** One parameter for any number of ids: one prepared statement is enough. */
const FIND_ALL_BY_ID =
  sql`${selectOwnedImages(SQLITE_DIALECT)} where images.id in (select value from json_each(?))`.sql;

const FIND_ALL_NAMED = selectNamedImages([], SQLITE_DIALECT).sql;
const FIND_ALL_NUMBERED = selectNumberedNames([], SQLITE_DIALECT).sql;

/** In WAL mode it waits for no writer. It costs a fifth of building and parsing the statement each time. */
export class SqlitePreparedReads implements ImageReads, NameReads {
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();
  private database: Promise<sqlite3.Database> | undefined;

  constructor(private readonly path: string) {}

  async findAllById(ids: readonly number[]): Promise<readonly OwnedColumns[]> {
    return await this.all(FIND_ALL_BY_ID, ids);
  }

  async findAllNamed(keys: readonly NameKey[]): Promise<readonly NamedImageRow[]> {
    return await this.all(FIND_ALL_NAMED, keys);
  }

  async findAllNumbered(numbers: readonly number[]): Promise<readonly NameRow[]> {
    return await this.all(
      FIND_ALL_NUMBERED,
      numbers.map((number) => [number]),
    );
  }

  private async all<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const statement = await this.prepareOnce(text);
    return await new Promise((resolve, reject) => {
      // `get` would stop at the first row and leave the statement open, and with it an old snapshot of the database.
      statement.all<Row>(JSON.stringify(values), (error, rows) => {
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
