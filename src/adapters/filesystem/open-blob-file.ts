import { closeSync, createReadStream, fstatSync, open, read, type Stats, stat } from 'node:fs';
import { type ByteRange, type FoundBlob, inMemory, type OpenedBlob } from '../../domain/ports/blob-store.ts';
import { isNotFound } from './file-system-errors.ts';

/** Up to this many bytes are read in one go: a stream would cost more than the reading. */
const READ_WHOLE_BYTES = 256 * 1024;

/** Sees an open file and what is known of it; what it returns is waited for. */
type OnOpen = (fileDescriptor: number, stats: Stats) => Promise<void> | undefined;

/**
 * Opens a file for reading, whole or in part; `undefined` where there is none.
 *
 * With file descriptors and callbacks: every picture that is sent comes through here, and the handles and promises of
 * `node:fs/promises` would take more time than the system calls.
 */
export async function openBlobFile(
  path: string,
  range: ByteRange | undefined,
  onOpen?: OnOpen,
): Promise<OpenedBlob | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  let isOpen = true;
  try {
    // Of an open file this is in memory: another trip through the thread pool would only add to it.
    const stats = fstatSync(file);
    const { size } = stats;
    const noted = onOpen?.(file, stats);
    if (noted !== undefined) await noted;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (end - start >= READ_WHOLE_BYTES)
      return { ...streamed(path, file, start, end), size, localPath: path };
    const bytes = await readWhole(file, start, end - start + 1);
    // There is nothing left to write out, so closing waits for nothing: the thread pool would only add to it.
    isOpen = false;
    closeSync(file);
    return { ...inMemory(bytes), size, localPath: path };
  } catch (error) {
    // Twice would close what somebody else has opened since.
    if (isOpen) closeSync(file);
    throw error;
  }
}

/** Looks for a file without opening it; `undefined` where there is none. */
export async function findBlobFile(path: string): Promise<FoundBlob | undefined> {
  const found = await statFile(path);
  return found && { size: found.size, localPath: path };
}

/** `undefined` where there is no such file. */
export async function statFile(path: string): Promise<Stats | undefined> {
  return await new Promise((resolve, reject) => {
    stat(path, (error, found) => {
      if (error === null) resolve(found.isFile() ? found : undefined);
      else if (isNotFound(error)) resolve(undefined);
      else reject(error);
    });
  });
}

async function openIfThere(path: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    open(path, (error, file) => {
      if (error === null) resolve(file);
      else if (isNotFound(error)) resolve(undefined);
      else reject(error);
    });
  });
}

async function readWhole(file: number, position: number, length: number): Promise<Uint8Array> {
  return await new Promise((resolve, reject) => {
    // Of its own, and not a piece of a larger one, which would be kept for as long as somebody remembers these bytes.
    read(file, Buffer.allocUnsafeSlow(length), 0, length, position, (error, bytesRead, buffer) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead));
      else reject(error);
    });
  });
}

/** The stream owns the file from here on and closes it at its end or when it is destroyed. */
function streamed(path: string, fd: number, start: number, end: number): Pick<OpenedBlob, 'bytes' | 'close'> {
  // With its end named it need not read once more to find it.
  const stream = createReadStream(path, { fd, start, end });
  return {
    bytes: stream,
    close: async (): Promise<void> => {
      if (stream.closed) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.destroy();
      });
    },
  };
}
