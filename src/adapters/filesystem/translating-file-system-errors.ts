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

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there, or cannot be made: correct the path',
  ENOTDIR: 'leads through a file: correct the path',
  EEXIST: 'is a file and no folder: correct the path',
  EISDIR: 'is a folder and no file: correct the path',
  EACCES: 'is closed to the user of this process: change its owner or its mode',
  EPERM: 'is closed to the user of this process: change its owner or its mode',
  EROFS: 'is on a file system that is read-only: make it writable, or choose another path',
  ELOOP: 'is a symbolic link, which is not followed here: put a file in its place',
  ENXIO: 'is no regular file: remove it, or choose another path',
  ENOSPC: 'is on a disk that is full: make room',
};

/** For operators: the path, what is wrong with it, and what to do. */
export function explainSystemError({ code = '', path, message }: NodeJS.ErrnoException): string {
  const words = IN_WORDS[code];
  return path === undefined || words === undefined ? message : `${path} ${words} (${code})`;
}

/** Other processes remove files, too. */
export function ignoreMissing(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

export function isNotFound(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}
