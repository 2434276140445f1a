import { LRUCache } from 'lru-cache';
import type { ByteRange } from '../../domain/ports/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/readable-bytes.ts';
import { type FileState, isSame } from './file-state.ts';
import { openBlobFile, statFile } from './open-blob-file.ts';

/** Includes `ENTRY_BYTES` per file. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Path, list entry, objects. */
const ENTRY_BYTES = 1024;

interface RecentFile {
  readonly bytes: Uint8Array;
  readonly state: FileState;
}

/** One `stat` per `open` detects a lost or changed file. That saves one of two round trips to the thread pool, and the copy. */
export class RecentFiles {
  private readonly files = new LRUCache<string, RecentFile>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });

  async open(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    const recent = this.files.get(path);
    if (recent !== undefined && isSame(recent.state, await statFile(path)))
      return opened(path, recent.bytes, range);
    this.files.delete(path);
    return await this.read(path, range);
  }

  private async read(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    let state: FileState | undefined;
    const blob = await openBlobFile(path, range, (_file, { ino, size, ctimeMs }) => {
      state = { ino, size, ctimeMs };
      return undefined;
    });
    // A range is not remembered, nor a file that was cut off during the read.
    if (blob?.buffered !== undefined && state?.size === blob.buffered.length)
      this.files.set(path, { bytes: blob.buffered, state });
    return blob;
  }
}

function opened(path: string, bytes: Uint8Array, range: ByteRange | undefined): OpenedBlob {
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  return { ...inMemory(part), size: bytes.length, localPath: path };
}
