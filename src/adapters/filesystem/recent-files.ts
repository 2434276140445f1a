import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { type FileState, findFileState, isSameState } from './file-state.ts';
import { OpenFile, READ_WHOLE_BYTES } from './open-file.ts';

/** Includes `ENTRY_BYTES` per file. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * If there is no room, one of this many new files is kept. If all were, more files than fit, requested in turn, would evict each
 * other before their next request, and each would become garbage that only a full collection frees.
 */
const ONE_KEPT_OF = 8;

/** Path, list entry, objects. */
const ENTRY_BYTES = 1024;

/** Less than the 3 s for which an NFS client keeps what it knows of a file (nfs(5), acregmin). */
const IN_KERNEL_MS = 1_000;

interface RecentFile {
  readonly bytes: Uint8Array;
  readonly state: FileState;
  /** Monotonic milliseconds. */
  askedAt: number;
}

/** One `stat` per `open` detects a lost or changed file. That saves the round trips to the thread pool, and the copy. */
export class RecentFiles {
  private readonly files = new LRUCache<string, RecentFile>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
  });
  private withoutRoom = 0;

  /** @param now monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  async open(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    const recent = this.files.get(path);
    if (recent !== undefined && isSameState(recent.state, await this.stat(path, recent))) {
      const { bytes } = recent;
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return { ...inMemory(part), size: bytes.length, localPath: path };
    }
    this.files.delete(path);
    return await this.read(path, range);
  }

  /** In the thread pool once a second. In between the kernel has the state in memory, and the pool would only add a round trip. */
  private async stat(path: string, recent: RecentFile): Promise<FileState | undefined> {
    const now = this.now();
    if (now - recent.askedAt < IN_KERNEL_MS) return statSync(path, { throwIfNoEntry: false });
    const found = await findFileState(path);
    recent.askedAt = now;
    return found;
  }

  private async read(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    const askedAt = this.now();
    const file = await OpenFile.open(path);
    if (file === undefined) return undefined;
    try {
      const { size } = file.stats;
      const { start, end } = range ?? { start: 0, end: size - 1 };
      if (end - start >= READ_WHOLE_BYTES) return { ...file.stream(start, end), size, localPath: path };
      const bytes = await file.read(start, end - start + 1);
      // A range is not remembered, nor a file that was cut off during the read.
      if (bytes.length === size && this.admits(size)) {
        this.files.set(path, { bytes, state: file.stats, askedAt });
      }
      return { ...inMemory(bytes), size, localPath: path };
    } finally {
      file.close();
    }
  }

  /** Often requested files are the likeliest to be admitted. */
  private admits(size: number): boolean {
    if (this.files.calculatedSize + size + ENTRY_BYTES <= MAX_BYTES) return true;
    this.withoutRoom += 1;
    return this.withoutRoom % ONE_KEPT_OF === 0;
  }
}
