import { open } from 'node:fs';
import { promisify } from 'node:util';
import { InputUnreadable } from './input-unreadable.ts';

const openFile = promisify(open);

/**
 * Returns a descriptor: `node:fs/promises` takes more time than the system calls.
 *
 * @throws {InputUnreadable}
 */
export async function openInput(path: string): Promise<number> {
  try {
    return await openFile(path, 'r');
  } catch (error) {
    throw new InputUnreadable('The file cannot be opened', { cause: error });
  }
}
