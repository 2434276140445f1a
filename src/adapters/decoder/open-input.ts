import { open } from 'node:fs';
import { promisify } from 'node:util';
import { StorageUnavailable } from '../../domain/errors.ts';

const openFile = promisify(open);

/**
 * Returns a descriptor: `node:fs/promises` takes more time than the system calls.
 *
 * @throws {StorageUnavailable}
 */
export async function openInput(path: string): Promise<number> {
  try {
    return await openFile(path, 'r');
  } catch (cause) {
    throw new StorageUnavailable({ cause });
  }
}
