import type { Stats } from 'node:fs';

/** Shows whether a path still leads to the same, unchanged file. */
export type FileState = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

export function isSame(state: FileState | undefined, found: FileState | undefined): boolean {
  if (state === undefined || found === undefined) return false;
  return state.ino === found.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}
