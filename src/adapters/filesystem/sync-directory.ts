import { closeSync, open } from 'node:fs';
import { promisify } from 'node:util';
import { syncDescriptor } from './sync-descriptor.ts';

const openDirectory = promisify(open);

/** fsync(2) of a file "does not necessarily ensure that the entry in the directory has also reached disk". */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await openDirectory(path, 'r');
  try {
    await syncDescriptor(directory);
  } finally {
    // Nothing was written through it, so that it closes without waiting.
    closeSync(directory);
  }
}
