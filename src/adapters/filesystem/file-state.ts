import { type Stats, stat } from 'node:fs';
import { promisify } from 'node:util';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Shows whether a path still leads to the same, unchanged file. */
export type FileState = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

/** `undefined` if there is no file. */
export async function findFileState(path: string): Promise<FileState | undefined> {
  const found = await promisify(stat)(path).catch(ignoreMissing);
  return found?.isFile() === true ? found : undefined;
}

export function isSameState(state: FileState | undefined, found: FileState | undefined): boolean {
  if (state === undefined || found === undefined) return false;
  return state.ino === found.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}
