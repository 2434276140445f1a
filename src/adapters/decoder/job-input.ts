import { buffer } from 'node:stream/consumers';
import type { ReadableBytes } from '../../domain/ports/readable-bytes.ts';

/** A path is read as it is sent. */
export type JobInput = string | Uint8Array;

/** Bytes from a network are read into memory. */
export async function inputOf(file: ReadableBytes): Promise<JobInput> {
  return file.buffered ?? file.localPath ?? (await buffer(file.read()));
}
