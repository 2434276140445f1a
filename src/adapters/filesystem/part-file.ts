import { closeSync, open, writev } from 'node:fs';
import { promisify } from 'node:util';
import { translatingFileSystemErrors } from './file-system-errors.ts';
import { syncDescriptor } from './fsync.ts';

/** A staged file must survive a power cut if a rename makes it a blob. */
export type Durability = 'durable' | 'volatile';

/** A smaller file also stays in memory until it has become a blob. */
const STEP_BYTES = 256 * 1024;

const openFile = promisify(open);

/**
 * A new file that is written from its beginning to its end. Each write is a round trip to the thread pool, so writes are few and
 * large. Uses descriptors and callbacks: `node:fs/promises` takes more time than the system calls.
 *
 * Its methods throw {StorageUnavailable}.
 */
export class PartFile {
  /** Set if the finished file took one step. */
  bytes: Uint8Array | undefined;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isSmall = true;
  private isOpen = true;

  private constructor(
    private readonly descriptor: number,
    private readonly durability: Durability,
  ) {}

  static async make(path: string, durability: Durability): Promise<PartFile> {
    return await translatingFileSystemErrors(
      async () => new PartFile(await openFile(path, 'wx', 0o600), durability),
    );
  }

  /** Keeps the chunk until it is written. */
  async add(chunk: Uint8Array): Promise<void> {
    this.pending.push(chunk);
    this.pendingBytes += chunk.length;
    if (this.pendingBytes < STEP_BYTES) return;
    this.isSmall = false;
    await this.write();
  }

  /** A durable file then survives a power cut. */
  async finish(): Promise<void> {
    if (this.isSmall) {
      this.bytes = Buffer.concat(this.pending, this.pendingBytes);
      this.pending = [this.bytes];
    }
    await this.write();
    await translatingFileSystemErrors(async () => {
      if (this.durability === 'durable') await syncDescriptor(this.descriptor);
      this.close();
    });
  }

  /** Never throws. */
  abandon(): void {
    try {
      this.close();
    } catch {
      // The caller throws the first error.
    }
  }

  /** At once: a synced file has nothing left to write, and the thread pool would only add a round trip. */
  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.descriptor);
  }

  private async write(): Promise<void> {
    const chunks = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    await translatingFileSystemErrors(() => append(this.descriptor, chunks));
  }
}

/**
 * Writes the chunks as they are. A copy of all of them would be memory outside of V8's heap; such garbage makes V8 collect its
 * whole heap, every few uploads.
 */
async function append(descriptor: number, chunks: readonly Uint8Array[]): Promise<void> {
  for (let left = chunks; left.length > 0; ) left = behind(left, await writeSome(descriptor, left));
}

/** Resolves to the number of bytes that the system has taken. */
async function writeSome(descriptor: number, chunks: readonly Uint8Array[]): Promise<number> {
  return await new Promise((resolve, reject) => {
    writev(descriptor, chunks, (error, bytesWritten) => {
      if (error === null) resolve(bytesWritten);
      else reject(error);
    });
  });
}

/** What is left of the chunks after their first bytes. */
function behind(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skipped = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (skipped + chunk.length > bytes) return [chunk.subarray(bytes - skipped), ...chunks.slice(index + 1)];
    skipped += chunk.length;
  }
  return [];
}
