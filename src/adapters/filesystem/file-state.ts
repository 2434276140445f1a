import type { Stats } from 'node:fs';

/** Tells whether a file is still the one that was read, and unchanged. */
export type FileState = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

export function isSame(state: FileState | undefined, found: FileState | undefined): boolean {
  if (state === undefined || found === undefined) return false;
  return state.ino === found.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}
