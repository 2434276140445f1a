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
