import type { Knex } from 'knex';

/** The differences between the database engines. All other SQL is portable. */
export interface SqlDialect {
  /** The function that returns the greatest of its arguments. */
  readonly greatest: 'max' | 'greatest';

  /** Whether one transaction writes at a time, so that single statements need no lock to be in order. */
  readonly hasOneWriter: boolean;

  /** Options of transactions: each statement must see everything committed before the statement began. */
  readonly transactions: Knex.TransactionConfig;

  /** First statement of a migration. Other migrations wait for the end of its transaction, without a timeout. */
  lockMigrations(transaction: Knex.Transaction): Promise<void>;

  /**
   * First statement of a transaction that records these UUIDs. No other transaction records anything until its end. Ids and
   * times become visible in their order, so a client that reads on from an id never misses a lower one.
   */
  lockInserts(transaction: Knex.Transaction, uuids: readonly string[]): Promise<void>;

  /**
   * First statement of a transaction that excludes all recording of this UUID until its end. Fails on a standby server, which
   * may lag behind.
   */
  lockRecording(transaction: Knex.Transaction, uuid: string): Promise<void>;

  /**
   * First statement of a transaction that checks whether a failed transaction with `lockInserts` for this UUID may still be
   * running on the server. Waits for no lock. Fails on a standby server, which may lag behind.
   */
  mayBeUnderWay(transaction: Knex.Transaction, uuid: string): Promise<boolean>;

  /** First statement of a transaction that restores records or reserves ids. Excludes all recording until its end. */
  lockRestores(transaction: Knex.Transaction): Promise<void>;

  /** The highest id ever given or reserved; 0 if there is none. */
  highestId(connection: Knex): Promise<number>;

  /** Makes all later ids higher than `upTo`. */
  raiseIds(transaction: Knex.Transaction, upTo: number): Promise<void>;

  /** Whether the error means an unavailable database, and not a wrong statement. */
  isUnavailable(error: Error): boolean;
}

/** The code of the driver's error, which Objection wraps. */
export function driverCodeOf(error: Error): string | undefined {
  const native = 'nativeError' in error && error.nativeError instanceof Error ? error.nativeError : error;
  return 'code' in native && typeof native.code === 'string' ? native.code : undefined;
}
