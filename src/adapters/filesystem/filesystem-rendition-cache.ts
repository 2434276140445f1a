import { randomUUID } from 'node:crypto';
import { futimes } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { RenditionCache, RenditionKey } from '../../domain/ports/rendition-cache.ts';
import { evictLeastRecentlyUsed } from './evict-least-recently-used.ts';
import { isNotFound, translatingFileSystemErrors } from './file-system-errors.ts';
import { openBlobFile } from './open-blob-file.ts';
import { shardedPath } from './sharded-path.ts';
import { walkShards } from './walk-shards.ts';

/** A file's time of modification is its last use, noted at most this often: a picture in demand costs no more for it. */
export const USE_GRANULARITY_MS = 60_000;

const setTimes = promisify(futimes);

/** After so much of the bound was written the folder is measured anew: other processes write into it, too. */
const MEASURE_AFTER = 1 / 20;

/** Renditions as files: `ab/<uuid>/<name>` below one folder, which several processes may share. */
export class FilesystemRenditionCache implements RenditionCache {
  private measured = 0;
  /** Bytes since the folder was measured. At first nobody knows what is in it, which the first writer is to find out. */
  private written: number;
  private eviction: Promise<void> | undefined;

  constructor(
    private readonly root: string,
    private readonly maxBytes: number,
    private readonly clock: Clock,
  ) {
    this.written = maxBytes * MEASURE_AFTER;
  }

  async open(key: RenditionKey): Promise<OpenedBlob | undefined> {
    const opened = await translatingFileSystemErrors(() =>
      openBlobFile(this.pathOf(key), undefined, (file, { mtime: lastUse }) => {
        const now = this.clock.now();
        return now.getTime() - lastUse.getTime() >= USE_GRANULARITY_MS ? setTimes(file, now, now) : undefined;
      }),
    );
    // Files are not synced here, since they can be made again. After a power cut one may be there without its bytes.
    return opened?.size === 0 ? undefined : opened;
  }

  async put(key: RenditionKey, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      await writeAtomically(path, bytes, this.clock.now());
      this.written += bytes.length;
      await this.makeRoom();
    });
  }

  async removeAllOf(uuid: string): Promise<void> {
    await translatingFileSystemErrors(() =>
      rm(shardedPath(this.root, uuid), { recursive: true, force: true }),
    );
  }

  async *listImages(): AsyncGenerator<string, void, undefined> {
    for await (const entry of walkShards(this.root)) {
      if ('uuid' in entry && entry.rest === '') yield entry.uuid;
    }
  }

  private pathOf({ uuid, name }: RenditionKey): string {
    if (!/^[a-z0-9.-]+$/.test(name) || name.startsWith('.'))
      throw new TypeError('A rendition name is one plain path segment');
    return join(shardedPath(this.root, uuid), name);
  }

  /** Who writes while the cache is over its bound waits; a mere measuring goes on beside the writers. */
  private async makeRoom(): Promise<void> {
    if (this.written < this.maxBytes * MEASURE_AFTER && !this.isOver()) return;
    this.evicting().catch(() => undefined);
    // What others wrote since an eviction under way began may be too much again.
    while (this.isOver()) await this.evicting();
  }

  private isOver(): boolean {
    return this.measured + this.written > this.maxBytes;
  }

  private evicting(): Promise<void> {
    this.eviction ??= this.measureAndEvict().finally(() => {
      this.eviction = undefined;
    });
    return this.eviction;
  }

  private async measureAndEvict(): Promise<void> {
    const writtenBefore = this.written;
    this.measured = await evictLeastRecentlyUsed(this.root, this.maxBytes);
    // What was written meanwhile may have been measured, too: better counted twice than not at all.
    this.written -= writtenBefore;
  }
}

/** Written elsewhere and renamed: a reader, or a crash, sees no file or all of it. */
async function writeAtomically(path: string, bytes: Uint8Array, now: Date): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeMakingFolder(temporary, bytes);
    await utimes(temporary, now, now);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeMakingFolder(path: string, bytes: Uint8Array): Promise<void> {
  const options = { flag: 'wx', mode: 0o600 };
  try {
    await writeFile(path, bytes, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, options);
  }
}
