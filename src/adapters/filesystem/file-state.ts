import { type Stats, stat } from 'node:fs';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Shows whether a path still leads to the same, unchanged file. */
export type FileState = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

/** `undefined` if there is no file. */
export async function findFileState(path: string): Promise<FileState | undefined> {
  const found = await statPath(path).catch(ignoreMissing);
  return found?.isFile() === true ? found : undefined;
}

/** Without the rest of the stats. */
export function fileState({ ino, size, ctimeMs }: Stats): FileState {
  return { ino, size, ctimeMs };
}

export function isSameState(state: FileState | undefined, found: FileState | undefined): boolean {
  if (state === undefined || found === undefined) return false;
  return state.ino === found.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}

async function statPath(path: string): Promise<Stats> {
  return await new Promise((resolve, reject) => {
    stat(path, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}
