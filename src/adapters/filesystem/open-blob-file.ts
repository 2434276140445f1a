import { closeSync, createReadStream, fstatSync, open, read, type Stats, stat } from 'node:fs';
import type { ByteRange, FoundBlob } from '../../domain/ports/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/readable-bytes.ts';
import { isNotFound } from './file-system-errors.ts';

/** Read at once: a stream would cost more than the read. */
export const READ_WHOLE_BYTES = 256 * 1024;

/** Awaited before the file is read. */
export type OnOpen = (fileDescriptor: number, stats: Stats) => Promise<void> | undefined;

/** Uses descriptors and callbacks: `node:fs/promises` takes more time than the system calls. */
export async function openBlobFile(
  path: string,
  range: ByteRange | undefined,
  onOpen?: OnOpen,
): Promise<OpenedBlob | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  let isOpen = true;
  try {
    // The stats of an open file are in memory: the thread pool would only add a round trip.
    const stats = fstatSync(file);
    const { size } = stats;
    const noted = onOpen?.(file, stats);
    if (noted !== undefined) await noted;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (end - start >= READ_WHOLE_BYTES)
      return { ...streamBlob(path, file, start, end), size, localPath: path };
    const bytes = await readWhole(file, start, end - start + 1);
    // A file that was only read closes without waiting: the thread pool would only add a round trip.
    isOpen = false;
    closeSync(file);
    return { ...inMemory(bytes), size, localPath: path };
  } catch (error) {
    // A second close could close another file that has got the same descriptor.
    if (isOpen) closeSync(file);
    throw error;
  }
}

export async function findBlobFile(path: string): Promise<FoundBlob | undefined> {
  const found = await statFile(path);
  return found && { size: found.size, localPath: path };
}

export async function statFile(path: string): Promise<Stats | undefined> {
  return await new Promise((resolve, reject) => {
    stat(path, (error, found) => {
      if (error === null) resolve(found.isFile() ? found : undefined);
      else if (isNotFound(error)) resolve(undefined);
      else reject(error);
    });
  });
}

export async function openIfThere(path: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    open(path, (error, file) => {
      if (error === null) resolve(file);
      else if (isNotFound(error)) resolve(undefined);
      else reject(error);
    });
  });
}

/** Into a buffer of its own: a slice of the pool would keep the whole pool in memory. */
export async function readWhole(file: number, position: number, length: number): Promise<Uint8Array> {
  return await readInto(file, Buffer.allocUnsafeSlow(length), position);
}

/** The result is shorter if the file ends before the buffer. */
export async function readInto(file: number, buffer: Buffer, position: number): Promise<Uint8Array> {
  return await new Promise((resolve, reject) => {
    read(file, buffer, 0, buffer.length, position, (error, bytesRead) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead));
      else reject(error);
    });
  });
}

/** The stream owns the file and closes it at its end or when destroyed. */
export function streamBlob(
  path: string,
  fd: number,
  start: number,
  end: number,
): Pick<OpenedBlob, 'read' | 'close'> {
  // A known end saves the read that would find the end of the file.
  const stream = createReadStream(path, { fd, start, end });
  return {
    read: () => stream,
    close: async (): Promise<void> => {
      if (stream.closed) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.destroy();
      });
    },
  };
}
