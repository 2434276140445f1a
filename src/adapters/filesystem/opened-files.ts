import { closeSync, createReadStream, fstatSync, open, read, type Stats, stat, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { ByteRange, FoundBlob } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { isNotFound } from './file-system-errors.ts';

/** Read at once: a stream would cost more than the read. */
export const READ_WHOLE_BYTES = 256 * 1024;

/** Awaited before the file is read. */
type OnOpen = (fileDescriptor: number, stats: Stats) => Promise<void> | undefined;

/** Uses descriptors and callbacks: `node:fs/promises` takes more time than the system calls. */
async function openBlobFile(
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
    if (end - start >= READ_WHOLE_BYTES) {
      return { ...streamBlob(path, file, start, end), size, localPath: path };
    }
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

async function statFile(path: string): Promise<Stats | undefined> {
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

const readFrom = promisify(read);

/** Into a buffer of its own: a slice of the pool would keep the whole pool in memory. */
async function readWhole(file: number, position: number, length: number): Promise<Uint8Array> {
  return await readInto(file, Buffer.allocUnsafeSlow(length), position);
}

/** The result is shorter if the file ends before the buffer. */
async function readInto(file: number, buffer: Buffer, position: number): Promise<Uint8Array> {
  const { bytesRead } = await readFrom(file, buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

/** The stream owns the file and closes it at its end or when destroyed. */
function streamBlob(
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

/** Shows whether a path still leads to the same, unchanged file. */
type FileState = Pick<Stats, 'ino' | 'size' | 'ctimeMs'>;

function isSame(state: FileState | undefined, found: FileState | undefined): boolean {
  if (state === undefined || found === undefined) return false;
  return state.ino === found.ino && state.size === found.size && state.ctimeMs === found.ctimeMs;
}

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
    if (recent !== undefined && isSame(recent.state, await this.stat(path, recent))) {
      return blobInMemory(path, recent.bytes, range);
    }
    this.files.delete(path);
    return await this.read(path, range);
  }

  /** In the thread pool once a second. In between the kernel has the state in memory, and the pool would only add a round trip. */
  private async stat(path: string, recent: RecentFile): Promise<FileState | undefined> {
    const now = this.now();
    if (now - recent.askedAt < IN_KERNEL_MS) return statSync(path, { throwIfNoEntry: false });
    const found = await statFile(path);
    recent.askedAt = now;
    return found;
  }

  private async read(path: string, range: ByteRange | undefined): Promise<OpenedBlob | undefined> {
    const askedAt = this.now();
    let state: FileState | undefined;
    const blob = await openBlobFile(path, range, (_file, { ino, size, ctimeMs }) => {
      state = { ino, size, ctimeMs };
      return undefined;
    });
    // A range is not remembered, nor a file that was cut off during the read.
    if (blob?.buffered !== undefined && state?.size === blob.buffered.length && this.admits(state.size)) {
      this.files.set(path, { bytes: blob.buffered, state, askedAt });
    }
    return blob;
  }

  /** Often requested files are the likeliest to be admitted. */
  private admits(size: number): boolean {
    if (this.files.calculatedSize + size + ENTRY_BYTES <= MAX_BYTES) return true;
    this.withoutRoom += 1;
    return this.withoutRoom % ONE_KEPT_OF === 0;
  }
}

function blobInMemory(path: string, bytes: Uint8Array, range: ByteRange | undefined): OpenedBlob {
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  return { ...inMemory(part), size: bytes.length, localPath: path };
}

/** Zeros, whose checksum may be zero, are no seal. Changes with the file format. */
const MARK = Buffer.from('ICR1', 'latin1');

const SEAL_BYTES = 8;

const MAX_VERIFIED = 1_000;

/** The mark, and the CRC-32 of all bytes before it. */
export function sealOf(bytes: Uint8Array): Buffer {
  return sealWith(crc32(bytes));
}

function sealWith(checksum: number): Buffer {
  const seal = Buffer.alloc(SEAL_BYTES);
  MARK.copy(seal);
  seal.writeUInt32BE(checksum, MARK.length);
  return seal;
}

export class SealedFiles {
  private readonly verified = new LRUCache<string, FileState>({ max: MAX_VERIFIED });

  /**
   * Removes a file that does not match its seal: it was cut off or changed, or a power cut lost blocks. A large file is read
   * before it is streamBlob, unless unchanged since the last time.
   */
  async open(path: string, onOpen: OnOpen): Promise<OpenedBlob | undefined> {
    const file = await openIfThere(path);
    if (file === undefined) return undefined;
    let opened: OpenedBlob | undefined;
    try {
      const stats = fstatSync(file);
      await onOpen(file, stats);
      opened = await this.openSealed(path, file, stats);
    } finally {
      // A stream closes the file itself.
      if (opened === undefined || opened.buffered !== undefined) closeSync(file);
    }
    if (opened === undefined) await rm(path, { force: true });
    return opened;
  }

  private async openSealed(path: string, file: number, stats: Stats): Promise<OpenedBlob | undefined> {
    const size = stats.size - SEAL_BYTES;
    if (size <= READ_WHOLE_BYTES) return unsealed(await readWhole(file, 0, stats.size));
    if (!isSame(this.verified.get(path), stats)) {
      const seal = await readWhole(file, size, SEAL_BYTES);
      if (!sealWith(await checksumOf(file, size)).equals(seal)) return undefined;
      this.verified.set(path, { ino: stats.ino, size: stats.size, ctimeMs: stats.ctimeMs });
    }
    return { ...streamBlob(path, file, 0, size - 1), size };
  }
}

function unsealed(sealed: Uint8Array): OpenedBlob | undefined {
  if (sealed.length < SEAL_BYTES) return undefined;
  const bytes = sealed.subarray(0, -SEAL_BYTES);
  return sealOf(bytes).equals(sealed.subarray(-SEAL_BYTES)) ? inMemory(bytes) : undefined;
}

/** Read in pieces: a rendition may have tens of megabytes. */
async function checksumOf(file: number, length: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(READ_WHOLE_BYTES);
  let checksum = 0;
  for (let position = 0; position < length; ) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, length - position));
    const piece = await readInto(file, wanted, position);
    if (piece.length === 0) break;
    checksum = crc32(piece, checksum);
    position += piece.length;
  }
  return checksum;
}
