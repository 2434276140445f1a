import { randomUUID } from 'node:crypto';
import { fstatSync, futimes } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { mapConcurrently } from '../../application/concurrency/map-concurrently.ts';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFile } from '../../domain/ports/bytes/temporary-files.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { evictLeastRecentlyUsed, UNFINISHED } from './evict-least-recently-used.ts';
import type { FileState } from './file-state.ts';
import { type OpenFile, READ_WHOLE_BYTES } from './open-file.ts';
import { SealedFiles, sealOf, sealWith } from './sealed-files.ts';
import { ignoreMissing, isNotFound, translatingFileSystemErrors } from './translating-file-system-errors.ts';
import { allocatedBytes, shardedPath, shardsIn, walkShard } from './walk-shards.ts';

/** A use is written at most this often, to save writes for popular images. */
const USE_GRANULARITY_MS = 60_000;

const setTimes = promisify(futimes);

/** Part of the bound written between two measurements. Other processes write, too. */
const MEASURE_AFTER = 1 / 20;

/** Includes space between names. */
const NAME_BYTES = 256;

const REMOVED_AT_A_TIME = 16;

/**
 * `ab/<uuid>.<name>` below one folder, which several processes may share. A folder for each image would take another block, as
 * much as many a rendition.
 *
 * Files are not synced, since renditions can be made again. A checksum detects one that lost bytes (see `SealedFiles`).
 */
export class FilesystemRenditionCache implements RenditionCache {
  /** At most the bound: what cannot be removed makes no writer wait. */
  private measured = 0;
  private isMeasured = false;
  /** Starts so high that the first writer measures the folder. */
  private written: number;
  private eviction: Promise<void> | undefined;
  private readonly files = new SealedFiles();
  readonly isLocal = true;

  /** @param maxBytes on the disk, blocks and folders included */
  constructor(
    private readonly root: string,
    private readonly maxBytes: number,
    private readonly clock: Clock,
  ) {
    this.written = maxBytes * MEASURE_AFTER;
  }

  /** The first writer measures. */
  get bytes(): number | undefined {
    return this.isMeasured ? this.measured + Math.max(0, this.written) : undefined;
  }

  async open(key: RenditionKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const path = this.pathOf(key);
    return await translatingFileSystemErrors(() =>
      this.files.open(path, (file) => this.noteUse(file), range),
    );
  }

  async put(key: RenditionKey, bytes: Uint8Array | TemporaryFile): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      const { bytesOnDisk, state } = await writeAtomically(path, bytes, this.clock.now());
      this.files.trust(path, state);
      this.written += bytesOnDisk + NAME_BYTES;
      await this.makeRoom();
    });
  }

  async removeAllOf(uuid: BlobKey): Promise<void> {
    const folder = dirname(shardedPath(this.root, uuid));
    await translatingFileSystemErrors(async () => {
      const names = ((await readdir(folder).catch(ignoreMissing)) ?? []).filter((name) =>
        name.startsWith(uuid),
      );
      await mapConcurrently(names, REMOVED_AT_A_TIME, (name) => rm(join(folder, name), { force: true }));
    });
  }

  /** Holds the images of one shard at a time. */
  async *listImages(prefix = ''): AsyncGenerator<BlobKey, void, undefined> {
    for await (const shard of shardsIn(this.root)) {
      const uuids = new Set<BlobKey>();
      for await (const entry of walkShard(this.root, shard)) {
        if ('uuid' in entry && entry.uuid.startsWith(prefix)) uuids.add(entry.uuid);
      }
      yield* uuids;
    }
  }

  private pathOf({ uuid, name }: RenditionKey): string {
    if (!/^[a-z0-9.-]+$/.test(name) || name.startsWith('.')) {
      throw new TypeError('A rendition name is one plain path segment');
    }
    return `${shardedPath(this.root, uuid)}.${name}`;
  }

  private noteUse({ descriptor, stats }: OpenFile): Promise<void> | undefined {
    const now = this.clock.now();
    if (now.getTime() - stats.mtimeMs < USE_GRANULARITY_MS) return undefined;
    return setTimes(descriptor, now, now);
  }

  /** Above the bound, writers wait for the eviction, but not for a mere measurement. */
  private async makeRoom(): Promise<void> {
    if (this.written < this.maxBytes * MEASURE_AFTER && !this.isOver()) return;
    this.evictTogether().catch(() => undefined);
    // What was written since the running eviction began may exceed the bound again.
    while (this.isOver()) await this.evictTogether();
  }

  private isOver(): boolean {
    return this.measured + this.written > this.maxBytes;
  }

  private evictTogether(): Promise<void> {
    this.eviction ??= this.measureAndEvict().finally(() => {
      this.eviction = undefined;
    });
    return this.eviction;
  }

  private async measureAndEvict(): Promise<void> {
    const writtenBefore = this.written;
    const left = await evictLeastRecentlyUsed(this.root, this.maxBytes);
    this.measured = Math.min(left, this.maxBytes);
    this.isMeasured = true;
    // What was written meanwhile may have been measured already. It counts twice rather than not at all.
    this.written -= writtenBefore;
  }
}

interface WrittenFile {
  /** With a new folder. */
  readonly bytesOnDisk: number;
  readonly state: FileState;
}

/** Renames, so that a reader sees no file or all of it. */
async function writeAtomically(
  path: string,
  bytes: Uint8Array | TemporaryFile,
  now: Date,
): Promise<WrittenFile> {
  const temporary = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    const { file, folderBytes } = await createFile(temporary);
    try {
      await (bytes instanceof Uint8Array ? writeSealed(file, bytes) : copySealed(file, bytes));
      await file.utimes(now, now);
      // An eviction or `removeAllOf` may have removed the file already.
      await rename(temporary, path).catch(ignoreMissing);
      // The stats of an open file are in memory: the thread pool would only add a round trip. A rename changes them.
      const state = fstatSync(file.fd);
      return { bytesOnDisk: folderBytes + allocatedBytes(state), state };
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface CreatedFile {
  readonly file: FileHandle;
  /** Bytes on the disk of a new folder. */
  readonly folderBytes: number;
}

/** The folder is there, except for the first file of its shard. */
async function createFile(path: string): Promise<CreatedFile> {
  try {
    return { file: await open(path, 'wx', 0o600), folderBytes: 0 };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const folderBytes = await makeFolder(dirname(path));
    return { file: await open(path, 'wx', 0o600), folderBytes };
  }
}

/** @returns bytes on the disk, 0 if it was there */
async function makeFolder(path: string): Promise<number> {
  const made = await mkdir(path, { recursive: true });
  return made === undefined ? 0 : allocatedBytes(await stat(path));
}

async function writeSealed(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await writeFile(file, withSeal(bytes));
}

async function copySealed(file: FileHandle, { read }: TemporaryFile): Promise<void> {
  let checksum = 0;
  for await (const chunk of read()) {
    await writeFile(file, chunk);
    checksum = crc32(chunk, checksum);
  }
  await writeFile(file, sealWith(checksum));
}

/** Each item is a write. A small rendition is copied instead. */
function withSeal(bytes: Uint8Array): readonly Uint8Array[] {
  const sealed = [bytes, sealOf(bytes)];
  return bytes.length <= READ_WHOLE_BYTES ? [Buffer.concat(sealed)] : sealed;
}
