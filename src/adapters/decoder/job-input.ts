import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { DomainError } from '../../domain/errors.ts';
import type { ReadableBytes } from '../../domain/ports/bytes/readable-bytes.ts';

/** A path is read as it is sent. */
export type JobInput = string | Uint8Array;

/** The file of a job cannot be opened or read. */
export class InputUnreadable extends Error {}

/**
 * Bytes from a network are read into memory.
 *
 * @throws {DomainError | InputUnreadable}
 */
export async function jobInput(file: ReadableBytes): Promise<JobInput> {
  try {
    return file.buffered ?? file.localPath ?? (await buffer(file.read()));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new InputUnreadable('The file cannot be read', { cause: error });
  }
}

/** @throws {InputUnreadable} */
export async function openInput(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new InputUnreadable('The file cannot be opened', { cause: error });
  }
}
