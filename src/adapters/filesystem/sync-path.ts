import { closeSync, open } from 'node:fs';
import { promisify } from 'node:util';
import { syncDescriptor } from './sync-descriptor.ts';

const openPath = promisify(open);

/**
 * Syncs a file or a folder. fsync(2) of a file "does not necessarily ensure that the entry in the directory has also reached disk":
 * that takes an fsync of the folder.
 */
export async function syncPath(path: string): Promise<void> {
  const descriptor = await openPath(path, 'r');
  try {
    await syncDescriptor(descriptor);
  } finally {
    // Nothing was written through it, so that it closes without waiting.
    closeSync(descriptor);
  }
}
