import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { openFile } from '../../client/src/node.ts';

/**
 * A file below the folder, symbolic links followed first.
 *
 * @param path relative to the folder, or absolute
 * @throws {Error} for every other path, in the same words, so that they do not tell which files exist
 */
export async function fileBelow(folder: string | undefined, path: string): ReturnType<typeof openFile> {
  if (folder === undefined) throw new Error('Files need --allow-files DIR on this server');
  const root = await realpath(folder);
  const file = await realpath(resolve(root, path)).catch(() => root);
  const isBelow = file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  if (!isBelow || !(await stat(file)).isFile()) throw new Error(`There is no such file below ${folder}`);
  return await openFile(file);
}
