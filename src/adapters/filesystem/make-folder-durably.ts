import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

/** With missing parents: what is in a folder is lost with it. */
export async function makeFolderDurably(path: string): Promise<void> {
  const folder = resolve(path);
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let parent = dirname(folder); ; parent = dirname(parent)) {
    await syncDirectory(parent);
    if (parent === top) return;
  }
}
