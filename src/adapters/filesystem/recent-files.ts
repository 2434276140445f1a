import type { Stats } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type ByteRange, inMemory, type OpenedBlob } from '../../domain/ports/blob-store.ts';
import { openBlobFile, statFile } from './open-blob-file.ts';

/** Of all files that are remembered together, with what each takes besides its bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What one takes besides its bytes: its path, its place in the order, the objects around its bytes. */
const ENTRY_BYTES = 1024;

type State = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

interface RecentFile {
  readonly bytes: Uint8Array;
  readonly state: State;
}

/**
 * Remembers the small files that were read last. Each time it is looked whether the file is still the same, so that one that
 * was lost or changed is missed at once: that is one trip through the thread pool in place of two, and nothing is copied.
 */
export class RecentFiles {
  private readonly files = new LRUCache<string, RecentFile>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });

  /** As `openBlobFile` does. */
  async open(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    const recent = this.files.get(path);
    if (recent !== undefined && isSame(recent.state, await statFile(path)))
      return opened(path, recent.bytes, range);
    this.files.delete(path);
    return await this.read(path, range);
  }

  private async read(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    let state: State | undefined;
    const blob = await openBlobFile(path, range, (_file, { ino, size, ctimeMs }) => {
      state = { ino, size, ctimeMs };
      return undefined;
    });
    // Not a part of it, and not what was left of a file that was cut off meanwhile.
    if (blob?.bytes instanceof Uint8Array && state?.size === blob.bytes.length)
      this.files.set(path, { bytes: blob.bytes, state });
    return blob;
  }
}

function isSame(state: State, found: State | undefined): boolean {
  return state.ino === found?.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}

function opened(path: string, bytes: Uint8Array, range: ByteRange | undefined): OpenedBlob {
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  return { ...inMemory(part), size: bytes.length, localPath: path };
}
