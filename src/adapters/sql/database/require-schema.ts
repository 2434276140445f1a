import type { Knex } from 'knex';
import { CatalogTooNew } from '../../../domain/errors.ts';
import { raw, rowsOf } from './sql-fragment.ts';

export const CATALOG_SCHEMA = 'catalog_schema';

/** The number of the last migration: raise it with each new one. */
export const SCHEMA = 4;

/** A row if a later version has made the tables into something that this one does not know. */
export const SELECT_LATER = `select version from ${CATALOG_SCHEMA} where least > ${SCHEMA}`;

/** The same as an update of no row: SQLite takes the write lock for it. */
export const LOCK_AND_SELECT_LATER = `update ${CATALOG_SCHEMA} set least = least where least > ${SCHEMA} returning version`;

/**
 * @param later rows of one of these statements
 * @throws {CatalogTooNew}
 */
export function refuseLater([later]: ReadonlyArray<{ readonly version: string }>): void {
  if (later !== undefined) throw new CatalogTooNew(later.version);
}

/** @throws {CatalogTooNew} */
export async function requireSchema(knex: Knex): Promise<void> {
  refuseLater(await rowsOf(knex, raw(SELECT_LATER)));
}

/** Remembers that the catalog is too new: it stays so. */
export class SchemaGuard {
  private refusal: CatalogTooNew | undefined;

  constructor(private readonly knex: Knex) {}

  /** @throws {CatalogTooNew} */
  async check(): Promise<void> {
    this.requireUsable();
    try {
      await requireSchema(this.knex);
    } catch (error) {
      if (error instanceof CatalogTooNew) this.refusal = error;
      throw error;
    }
  }

  /**
   * As of the last check.
   *
   * @throws {CatalogTooNew}
   */
  requireUsable(): void {
    if (this.refusal !== undefined) throw this.refusal;
  }
}
