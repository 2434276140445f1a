import type { Knex } from 'knex';
import { CatalogTooNew, DomainError, StorageUnavailable } from '../../../domain/errors.ts';
import type { Turns } from '../../../domain/ports/process/turns.ts';
import { dialectOf } from './dialect-of.ts';
import { requireSchema } from './require-schema.ts';
import type { SlowReads } from './slow-reads.ts';
import type { NumberedTable, SqlDialect } from './sql-dialect.ts';
import { type RowReader, rowsOf, type SqlFragment } from './sql-fragment.ts';

interface Connections {
  readonly knex: Knex;
  /** For reads that would wait for writes on `knex`; by default the same. */
  readonly reader?: Knex;
  /** By default the reader. */
  readonly preparedReads?: RowReader | undefined;
  /** By default the reader. */
  readonly slowReads?: SlowReads;
}

/**
 * Every method throws `StorageUnavailable` if the database is unavailable, and `CatalogTooNew` instead of an error of a statement that a
 * later version has made invalid. Other errors are unchanged.
 */
export class CatalogDatabase implements RowReader {
  readonly knex: Knex;
  readonly reader: Knex;
  readonly dialect: SqlDialect;
  private readonly preparedReads: RowReader;
  private readonly slowReads: SlowReads;

  constructor({ knex, reader = knex, preparedReads, slowReads }: Connections) {
    const reads: RowReader = { rows: (statement) => rowsOf(reader, statement) };
    this.knex = knex;
    this.reader = reader;
    this.dialect = dialectOf(knex);
    this.preparedReads = preparedReads ?? reads;
    this.slowReads = slowReads ?? reads;
  }

  /** From the reader. */
  async rows<Row>(statement: SqlFragment): Promise<readonly Row[]> {
    return await this.run(() => rowsOf<Row>(this.reader, statement));
  }

  /** The only value of a statement from the reader, as a number; 0 if there is none. */
  async number(statement: SqlFragment): Promise<number> {
    const [row] = await this.rows<Readonly<Record<string, unknown>>>(statement);
    return Number(Object.values(row ?? {})[0] ?? 0);
  }

  /** The text must be one of few: each connection prepares it once. */
  async preparedRows<Row>(statement: SqlFragment): Promise<readonly Row[]> {
    return await this.run(() => this.preparedReads.rows<Row>(statement));
  }

  /** For reads that may take long: each statement is a portion. */
  inTurns(turns: Turns): RowReader {
    return {
      rows: (statement) => this.run(() => turns.run(() => this.slowReads.rows(statement, turns.stopped))),
    };
  }

  /** Of a statement that changes something, in a transaction of its own. */
  async write<Row>(statement: SqlFragment): Promise<readonly Row[]> {
    return await this.run(() => rowsOf<Row>(this.knex, statement));
  }

  async highestId(table: NumberedTable): Promise<number> {
    return await this.run(() => this.dialect.highestId(this.reader, table));
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
