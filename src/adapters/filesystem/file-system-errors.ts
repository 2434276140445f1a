import { StorageUnavailable } from '../../domain/errors.ts';

/** Translates errors of the operating system (full, read-only, gone, …) into `StorageUnavailable`. */
export async function translatingFileSystemErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isSystemError(error) ? new StorageUnavailable({ cause: error }) : error;
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'syscall' in error;
}

/** Other processes remove files, too. */
export function ignoreMissing(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

export function isNotFound(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}
