import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UploadSource } from './platform.ts';

/**
 * A file for an upload, read in pieces and never held in memory. Rejects with the error of the file system.
 *
 * @param name the last part of the path unless given
 */
export async function openFile(path: string, name = basename(path)): Promise<Required<UploadSource>> {
  const { size } = await stat(path);
  return { name, size, stream: () => createReadStream(path) };
}
