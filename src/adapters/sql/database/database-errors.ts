import { StorageUnavailable } from '../../../domain/errors.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Translates errors of an unavailable database to `StorageUnavailable`; rethrows others unchanged. */
export async function translatingDatabaseErrors<T>(
  dialect: SqlDialect,
  call: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isUnavailable(dialect, error) ? new StorageUnavailable({ cause: error }) : error;
  }
}

function isUnavailable(dialect: SqlDialect, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Knex found no free connection in time.
  if (error.name === 'KnexTimeoutError') return true;
  return dialect.isUnavailable(error);
}
