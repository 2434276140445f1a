import type { Knex } from 'knex';
import type { SqlFragment } from './sql-fragment.ts';

/** Gives each row an id of its own, which for names is their number, and none again. */
export type NumberedTable = 'images' | 'names';

/** All other SQL is portable. What locks for a change throws `CatalogTooNew` under the lock. */
export interface SqlDialect {
  readonly greatest: 'max' | 'greatest';

  /** A table function with one parameter, however many rows there are; each has one element as `value`. */
  readonly jsonRows: (rows: readonly unknown[]) => SqlFragment;

  /** Whether a column has one of these ids. All of them are one parameter. */
  isAmong(column: string, ids: readonly number[]): SqlFragment;

  /** An aggregate: the rows as a JSON array of arrays of these columns. A driver takes longer for thousands of rows. */
  jsonOf(columns: SqlFragment): SqlFragment;

  /** A function: where a text has another, from 1; 0 if nowhere. */
  readonly position: 'instr' | 'strpos';

  /**
   * A condition behind a column: it has the value of the only row of a query. The engine must not take the column for a constant: Postgres
   * would then read any index in the order of the columns behind it, through the rows of all other values.
   */
  readonly isValueOf: (query: SqlFragment) => SqlFragment;

  /**
   * In front of a column: SQLite, which has no statistics, chooses no index for this condition. Postgres would take it for a condition
   * that hardly any row meets.
   */
  readonly unindexed: '+' | '';

  /** A table that SQLite must read by this index, whatever its statistics say. Postgres chooses. */
  byIndex(table: string, index: string): SqlFragment;

  /** A statement that fails on a server that takes no changes, such as a standby. It changes nothing and waits for no row. */
  readonly requireWritable: SqlFragment;

  /** Of images alone; other tables have UUIDs as text. */
  storedUuid(uuid: string): string | Buffer;

  /** At the end of a select that finds the row to change: not one that another transaction changes. */
  readonly skipLocked: SqlFragment;

  /**
   * An expression: UUID, SHA-256 and ThumbHash of `images` as one text, in hex. A driver takes longer for three columns of bytes than for
   * the rest of the row.
   */
  readonly imageHex: SqlFragment;

  /** An expression: the clock of the database, in ms since 1970. */
  readonly now: SqlFragment;

  /** Each statement must see everything committed before it began. */
  readonly transactions: Knex.TransactionConfig;

  /** All statements see the same moment, and change nothing. */
  readonly snapshots: Knex.TransactionConfig;

  /** Before migrations and after them: a migration may sort all rows for an index, which takes too much memory. */
  readonly sortOnDisk: SqlFragment;
  readonly sortInMemory: SqlFragment;

  /**
   * First statement of a migration. Others wait for the end of its transaction, without a timeout. The migration itself does not wait
   * long for a table that is in use.
   */
  lockMigrations(transaction: Knex.Transaction): Promise<void>;

  /**
   * First statement; excludes all other recording. Ids and times become visible in order: a client reading on from an id never
   * misses a lower one.
   */
  lockInserts(transaction: Knex.Transaction, uuids: readonly string[]): Promise<void>;

  /** First statement; excludes all other recording, changing and removing of images until the transaction ends. */
  lockChanges(transaction: Knex.Transaction): Promise<void>;

  /** First statement; excludes recording of this UUID until the transaction ends. Fails on a standby, which may lag. */
  lockRecording(transaction: Knex.Transaction, uuid: string): Promise<void>;

  /**
   * First statement; whether a failed `lockInserts` transaction for this UUID may still run. Waits for no lock. Fails on a
   * standby.
   */
  mayBeUnderWay(transaction: Knex.Transaction, uuid: string): Promise<boolean>;

  /** First statement; excludes all recording until the transaction ends. */
  lockRestores(transaction: Knex.Transaction): Promise<void>;

  /** Includes reserved ids; 0 if there is none. */
  highestId(connection: Knex, table: NumberedTable): Promise<number>;

  /** Makes later ids higher. */
  raiseIds(transaction: Knex.Transaction, table: NumberedTable, upTo: number): Promise<void>;

  isUnavailable(error: Error): boolean;
}

/** Objection wraps the driver's error. */
export function driverCodeOf(error: Error): string | undefined {
  const native = 'nativeError' in error && error.nativeError instanceof Error ? error.nativeError : error;
  return 'code' in native && typeof native.code === 'string' ? native.code : undefined;
}
