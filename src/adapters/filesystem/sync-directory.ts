import { open } from 'node:fs/promises';

/** fsync(2) of a file "does not necessarily ensure that the entry in the directory has also reached disk". */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
