import type { Knex } from 'knex';

/** What the engines below the repositories do each in a way of its own; all else is portable. */
export interface SqlDialect {
  /** The function that gives the greatest of its arguments. */
  readonly greatest: 'max' | 'greatest';

  /** Whether the engine lets one transaction write at a time: then single statements are in order by themselves. */
  readonly hasOneWriter: boolean;

  /** How transactions are begun: each statement of one must see all that was committed before it began. */
  readonly transactions: Knex.TransactionConfig;

  /** The first of a transaction that migrates: other such transactions wait for its end, however long it takes. */
  lockMigrations(transaction: Knex.Transaction): Promise<void>;

  /**
   * The first statement of a transaction that records these UUIDs. Until its end no other records anything: ids and times
   * become visible in their order, so that nobody who reads on from an id misses a lower one that comes later.
   */
  lockInserts(transaction: Knex.Transaction, uuids: readonly string[]): Promise<void>;

  /**
   * The first statement of a transaction until whose end nobody records this UUID. Fails on a server that may not know yet
   * what was recorded.
   */
  lockRecording(transaction: Knex.Transaction, uuid: string): Promise<void>;

  /**
   * The first statement of a transaction that asks whether one that began with `lockInserts` for this UUID may still be
   * under way, although its caller has heard of its failure. Waits for nothing. Fails on a server that may not know yet what
   * was recorded.
   */
  mayBeUnderWay(transaction: Knex.Transaction, uuid: string): Promise<boolean>;

  /** The first statement of a transaction that restores records or reserves ids: nobody else records anything until its end. */
  lockRestores(transaction: Knex.Transaction): Promise<void>;

  /** The highest id of an image that was ever given or reserved; 0 where there is none. */
  highestId(connection: Knex): Promise<number>;

  /** Makes the ids of images that are given from now on higher than `upTo`. */
  raiseIds(transaction: Knex.Transaction, upTo: number): Promise<void>;

  /** Whether what a call threw says "not now" or "not here" rather than "wrong statement". */
  isUnavailable(error: Error): boolean;
}

/** The driver's code; Objection wraps what the driver threw. */
export function driverCodeOf(error: Error): string | undefined {
  const native = 'nativeError' in error && error.nativeError instanceof Error ? error.nativeError : error;
  return 'code' in native && typeof native.code === 'string' ? native.code : undefined;
}
