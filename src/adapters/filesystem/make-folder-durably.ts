import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncPath } from './sync-path.ts';
import { isNotFound } from './translating-file-system-errors.ts';

/**
 * With missing parents: what is in a folder is lost with it. Not with the option `recursive`, which never ends in `/proc`.
 *
 * @param hasParent a folder that is not found then cannot be made, as in `/proc`
 */
export async function makeFolderDurably(path: string, hasParent = false): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  try {
    await mkdir(folder);
  } catch (error) {
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return;
    if (!isNotFound(error) || hasParent) throw error;
    // Another process may have made it since.
    await makeFolderDurably(parent);
    return await makeFolderDurably(folder, true);
  }
  await syncPath(parent);
}
