import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const PRIVATE = 0o600;
const OTHERS = 0o007;

/**
 * Makes an empty file that its owner alone may read, whatever the umask. A file that exists loses what users other than its owner and
 * group may do, if it belongs to the user of this process. Errors are left to whoever uses the file.
 */
export function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE));
  } catch {
    closeToOthers(path);
  }
}

/** The second half of `keepPrivate`: makes no file. */
export function closeToOthers(path: string): void {
  try {
    const { mode, uid } = statSync(path);
    if ((mode & OTHERS) !== 0 && uid === process.geteuid?.()) chmodSync(path, mode & 0o770);
  } catch {
    // It is missing, or on a file system without modes.
  }
}

/** Whether everybody on this machine may read or write a file that belongs to another user than that of this process. */
export function isOpenAndForeign(path: string): boolean {
  try {
    const { mode, uid } = statSync(path);
    return (mode & OTHERS) !== 0 && process.geteuid !== undefined && uid !== process.geteuid();
  } catch {
    return false;
  }
}
