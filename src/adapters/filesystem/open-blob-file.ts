import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ByteRange, OpenedBlob } from '../../domain/ports/blob-store.ts';
import { isNotFound } from './file-system-errors.ts';

/** Up to this many bytes are read in one go: a stream would cost more than the reading. */
const READ_WHOLE_BYTES = 256 * 1024;

/** Opens a file for reading, whole or in part; `undefined` where there is none. */
export async function openBlobFile(
  path: string,
  range: ByteRange | undefined,
  onOpen: (file: FileHandle, modified: Date) => Promise<void> = async () => undefined,
): Promise<OpenedBlob | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size, mtime } = await file.stat();
    await onOpen(file, mtime);
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (end - start >= READ_WHOLE_BYTES) return { ...streamed(file, start, end), size, localPath: path };
    const bytes = await readWhole(file, start, end - start + 1);
    await file.close();
    return { size, bytes, localPath: path, close: async () => undefined };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function readWhole(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The stream owns the file from here on and closes it at its end or when it is destroyed. */
function streamed(file: FileHandle, start: number, end: number): Pick<OpenedBlob, 'bytes' | 'close'> {
  // With its end named it need not read once more to find it.
  const stream = file.createReadStream({ start, end });
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
