import { buffer } from 'node:stream/consumers';
import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import type { ReadableBytes } from '../../domain/ports/bytes/readable-bytes.ts';

/** A path is read as it is sent. */
export type JobInput = string | Uint8Array;

/**
 * Bytes from a network are read into memory.
 *
 * @throws {DomainError}
 */
export async function jobInput(file: ReadableBytes): Promise<JobInput> {
  try {
    return file.buffered ?? file.localPath ?? (await buffer(file.read()));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new StorageUnavailable({ cause: error });
  }
}
