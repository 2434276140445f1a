import { closeSync, openSync } from 'node:fs';
import { syncDescriptor } from './sync-descriptor.ts';

/**
 * Syncs a file or a folder. fsync(2) of a file "does not necessarily ensure that the entry in the directory has also reached disk":
 * that takes an fsync of the folder.
 */
export async function syncPath(path: string): Promise<void> {
  // It was written to just before, so that the kernel has it in memory: the thread pool would only add a round trip.
  const descriptor = openSync(path, 'r');
  try {
    await syncDescriptor(descriptor);
  } finally {
    // Nothing was written through it, so that it closes without waiting.
    closeSync(descriptor);
  }
}
