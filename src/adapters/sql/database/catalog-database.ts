import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import { CatalogTooNew, DomainError, StorageUnavailable } from '../../../domain/errors.ts';
import { dialectOf } from './dialect-of.ts';
import { requireSchema } from './require-schema.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { type RowReader, rowsOf, type SqlFragment } from './sql-fragment.ts';

/**
 * Every method throws `StorageUnavailable` if the database is unavailable, and `CatalogTooNew` instead of an error of a statement that a
 * later version has made invalid. Other errors are unchanged.
 */
export class CatalogDatabase implements RowReader {
  readonly dialect: SqlDialect;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(
    readonly knex: Knex,
    readonly reader: Knex = knex,
  ) {
    this.dialect = dialectOf(knex);
  }

  /** From the reader. */
  async rows<Row>(statement: SqlFragment): Promise<readonly Row[]> {
    return await this.run(() => rowsOf<Row>(this.reader, statement));
  }

  async transaction<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return await this.run(() => this.knex.transaction(work, this.dialect.transactions));
  }

  /** A transaction that excludes all other recording, changing and removing of images. */
  async change<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return await this.transaction(async (transaction) => {
      await this.dialect.lockChanges(transaction);
      return await work(transaction);
    });
  }

  async run<T>(call: () => PromiseLike<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (this.isUnavailable(error)) throw new StorageUnavailable({ cause: error });
      if (!(error instanceof DomainError)) await this.refuseLater();
      throw error;
    }
  }

  /** Whatever else is wrong with the database, the first error says it. */
  private async refuseLater(): Promise<void> {
    await requireSchema(this.reader).catch((error: unknown) => {
      if (error instanceof CatalogTooNew) throw error;
    });
  }

  private isUnavailable(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    // Knex found no free connection in time.
    if (error.name === 'KnexTimeoutError') return true;
    return this.dialect.isUnavailable(error);
  }
}

const MAX_GROUP_SIZE = 32;

/**
 * Requests that arrive during a commit share the sync, lock and round trips of the next transaction. A single request is committed
 * at once.
 */
export class GroupCommit<Request, Result> {
  private current: Promise<unknown> = Promise.resolve();
  private readonly groups = new DataLoader<Request, Result>(
    (requests) => {
      // Several groups may wait for the same commit: each waits for the group before it.
      const group = this.current.then(() => this.commitAll(requests));
      this.current = group.catch(() => undefined);
      return group;
    },
    {
      cache: false,
      maxBatchSize: MAX_GROUP_SIZE,
      batchScheduleFn: (begin) => void this.current.then(begin),
    },
  );

  /** @param commitTogether in one transaction; throws `StorageUnavailable` */
  constructor(
    private readonly commitTogether: (requests: readonly Request[]) => Promise<ReadonlyArray<Result | Error>>,
  ) {}

  async commit(request: Request): Promise<Result> {
    return await this.groups.load(request);
  }

  private async commitAll(requests: readonly Request[]): Promise<ReadonlyArray<Result | Error>> {
    try {
      return await this.commitTogether(requests);
    } catch (error) {
      if (requests.length === 1 || error instanceof StorageUnavailable) throw error;
      // One rejected request must not fail the rest of its group.
      return await Promise.all(requests.map((request) => this.commitAlone(request)));
    }
  }

  private async commitAlone(request: Request): Promise<Result | Error> {
    const [outcome] = await this.commitAll([request]).catch((error: unknown) => [error as Error]);
    return outcome as Result | Error;
  }
}

const MAX_READ_SIZE = 64;

interface TurnReads<Key, Row> {
  /** Rows of these keys, each at most once, in no order. */
  readonly find: (keys: readonly Key[]) => Promise<readonly Row[]>;
  /** Equal of a key and of its row. */
  readonly keyOf: (key: Key) => number | string;
  readonly keyOfRow: (row: Row) => number | string;
}

/**
 * Reads of one turn of the event loop share one statement: the round trip costs more than finding a row. A row that is in demand is
 * read once a turn.
 */
export function readsOfOneTurn<Key, Row>({
  find,
  keyOf,
  keyOfRow,
}: TurnReads<Key, Row>): DataLoader<Key, Row | undefined> {
  return new DataLoader<Key, Row | undefined>(
    async (keys) => {
      const distinct = new Map(keys.map((key) => [keyOf(key), key]));
      const rows = await find([...distinct.values()]);
      const found = new Map(rows.map((row) => [keyOfRow(row), row]));
      return keys.map((key) => found.get(keyOf(key)));
    },
    { cache: false, maxBatchSize: MAX_READ_SIZE, batchScheduleFn: setImmediate },
  );
}
