import { type FileHandle, open } from 'node:fs/promises';
import { InputUnreadable } from './input-unreadable.ts';

/** @throws {InputUnreadable} */
export async function openInput(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new InputUnreadable('The file cannot be opened', { cause: error });
  }
}
