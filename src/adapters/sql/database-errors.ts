import { StorageUnavailable } from '../../domain/errors.ts';

/** SQLite result codes that say "not now" or "not here" rather than "wrong statement": https://sqlite.org/rescode.html */
const SQLITE_UNAVAILABLE = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_NOMEM',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_PROTOCOL',
  'SQLITE_PERM',
]);

/** Runs a database call; an unusable database becomes `StorageUnavailable`, anything else comes out as it is. */
export async function translatingDatabaseErrors<T>(call: () => PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isUnavailable(error) ? new StorageUnavailable({ cause: error }) : error;
  }
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Knex found no free connection in time.
  if (error.name === 'KnexTimeoutError') return true;
  const code = codeOf(error);
  return code !== undefined && SQLITE_UNAVAILABLE.has(code);
}

/** The driver's code; Objection wraps what the driver threw. */
function codeOf(error: Error): string | undefined {
  const native = 'nativeError' in error && error.nativeError instanceof Error ? error.nativeError : error;
  return 'code' in native && typeof native.code === 'string' ? native.code : undefined;
}
