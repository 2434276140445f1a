import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, open, unlink, writev } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FileTooLarge } from '../../domain/errors.ts';
import { BLOB_KEY_LENGTH, type BlobKey, isBlobKey } from '../../domain/image/blob-key.ts';
import { KIND_BYTES, SIGNATURE_BYTES } from '../../domain/image/media-type-of.ts';
import type {
  OrphanedFiles,
  StagedFile,
  StagingArea,
  StagingLimits,
} from '../../domain/ports/bytes/staging-area.ts';
import type { ProcessRegistry } from '../../domain/ports/process/process-registry.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import { syncDescriptor } from './sync-descriptor.ts';
import { translatingFileSystemErrors } from './translating-file-system-errors.ts';

/** In the blob folder, so that a rename on one file system makes an upload a blob. */
export const STAGING_FOLDER = '.staging';

const UNFINISHED = '.part';

/** Best on the file system of the blobs: then a rename moves the files. */
export class FilesystemStagingArea implements StagingArea {
  constructor(
    private readonly folder: string,
    private readonly uuids: UuidGenerator,
    private readonly processes: ProcessRegistry,
    private readonly durability: Durability = 'durable',
  ) {}

  async receive(
    bytes: AsyncIterable<Uint8Array>,
    limits: StagingLimits,
    onStored: OnStored = () => {},
  ): Promise<StagedFile> {
    const path = join(this.folder, stagedName(this.processes.self, this.uuids.next()));
    const seen = new SeenBytes(limits);
    const file = await PartFile.make(path, this.durability, onStored);
    try {
      for await (const chunk of bytes) {
        seen.add(chunk);
        await file.add(chunk);
      }
      seen.end();
      await file.finish();
    } catch (error) {
      file.abandon();
      await this.forget(path);
      throw error;
    }
    return {
      size: seen.size,
      sha256: seen.sha256(),
      buffered: file.bytes,
      localPath: path,
      read: () => createReadStream(path),
      discard: () => this.forget(path),
    };
  }

  async findOrphans(unseenBefore: Date): Promise<OrphanedFiles> {
    const names: string[] = [];
    const foreign: string[] = [];
    await translatingFileSystemErrors(async () => {
      for (const name of await readdir(this.folder)) {
        const owner = ownerOf(name);
        if (owner === undefined) foreign.push(join(basename(this.folder), name));
        else if (await this.isOrphaned(name, owner, unseenBefore)) names.push(name);
      }
    });
    return { names, foreign };
  }

  async removeOrphan(name: string): Promise<void> {
    await translatingFileSystemErrors(() => rm(join(this.folder, name), { force: true }));
  }

  private async isOrphaned(name: string, owner: string, unseenBefore: Date): Promise<boolean> {
    if (this.processes.isRunning(owner)) return false;
    if (this.processes.isGone(owner)) return true;
    const found = await stat(join(this.folder, name)).catch(() => undefined);
    return found !== undefined && found.mtime < unseenBefore;
  }

  private async forget(path: string): Promise<void> {
    // A file that has become a blob is not here any more: to look costs a tenth of a round trip to the thread pool.
    if (!existsSync(path)) return;
    // If this fails, a sweep removes the file when this process is gone or the file is old enough.
    await unlinkFile(path).catch(() => undefined);
  }
}

/** The name tells the sweeper which process has made the file. */
export function stagedName(owner: string, uuid: BlobKey): string {
  return `${owner}-${uuid}${UNFINISHED}`;
}

/** `undefined` if `stagedName` has not made the name. */
function ownerOf(name: string): string | undefined {
  const base = name.slice(0, -UNFINISHED.length);
  const [owner, uuid] = [base.slice(0, -BLOB_KEY_LENGTH - 1), base.slice(-BLOB_KEY_LENGTH)];
  const isOurs = isBlobKey(uuid) && /^[0-9a-z-]+$/.test(owner) && name === stagedName(owner, uuid);
  return isOurs ? owner : undefined;
}

const unlinkFile = promisify(unlink);

class SeenBytes {
  size = 0;
  private head: Uint8Array = new Uint8Array(0);
  private readonly hash: Hash = createHash('sha256');
  private checked = false;

  constructor(private readonly limits: StagingLimits) {}

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size > this.limits.maxBytes) throw new FileTooLarge(this.limits.maxBytes);
    this.hash.update(chunk);
    if (!this.checked) this.look(chunk.subarray(0, KIND_BYTES));
  }

  /** For a file shorter than `SIGNATURE_BYTES`. */
  end(): void {
    if (!this.checked && this.size > 0) this.limits.checkHead(this.head);
  }

  sha256(): string {
    return this.hash.digest('hex');
  }

  private look(part: Uint8Array): void {
    this.head = Buffer.concat([this.head, part]);
    if (this.head.length < SIGNATURE_BYTES) return;
    this.checked = true;
    this.limits.checkHead(this.head);
  }
}

/** A staged file must survive a power cut if a rename makes it a blob. */
type Durability = 'durable' | 'volatile';

type OnStored = (chunk: Uint8Array) => void;

/** A smaller file also stays in memory until it has become a blob. */
const STEP_BYTES = 256 * 1024;

/** A client may send each byte as a chunk, of which 256 KiB would take 30 MB. */
const STEP_CHUNKS = 1024;

const openFile = promisify(open);
const writeChunks = promisify(writev);

/**
 * A new file that is written from its beginning to its end. Each write is a round trip to the thread pool, so writes are few and
 * large. Uses descriptors and callbacks: `node:fs/promises` takes more time than the system calls.
 *
 * Its methods throw {StorageUnavailable}.
 */
class PartFile {
  /** Set if the finished file took one step. */
  bytes: Uint8Array | undefined;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isSmall = true;
  private isOpen = true;

  private constructor(
    private readonly descriptor: number,
    private readonly durability: Durability,
    private readonly onStored: OnStored,
  ) {}

  static async make(path: string, durability: Durability, onStored: OnStored): Promise<PartFile> {
    return await translatingFileSystemErrors(
      async () => new PartFile(await openFile(path, 'wx', 0o600), durability, onStored),
    );
  }

  /** Keeps the chunk until it is written. */
  async add(chunk: Uint8Array): Promise<void> {
    this.pending.push(chunk);
    this.pendingBytes += chunk.length;
    if (this.pendingBytes < STEP_BYTES && this.pending.length < STEP_CHUNKS) return;
    this.isSmall = false;
    await this.write();
  }

  /** A durable file then survives a power cut. */
  async finish(): Promise<void> {
    if (this.isSmall) this.bytes = Buffer.concat(this.pending, this.pendingBytes);
    await this.write(this.bytes && [this.bytes]);
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

  /** @param joined the same bytes as those of the pending chunks */
  private async write(joined?: readonly Uint8Array[]): Promise<void> {
    const chunks = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    await translatingFileSystemErrors(() => append(this.descriptor, joined ?? chunks));
    for (const chunk of chunks) this.onStored(chunk);
  }
}

/**
 * Writes the chunks as they are. A copy of all of them would be memory outside of V8's heap; such garbage makes V8 collect its
 * whole heap, every few uploads.
 */
async function append(descriptor: number, chunks: readonly Uint8Array[]): Promise<void> {
  for (let left = chunks; left.length > 0; ) {
    const { bytesWritten } = await writeChunks(descriptor, left);
    left = behind(left, bytesWritten);
  }
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
