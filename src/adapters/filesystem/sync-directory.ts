import { open } from 'node:fs/promises';

/** Makes the entries of a folder survive a power cut: fsync(2), "does not necessarily ensure that the entry in the directory has also reached disk". */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
