import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore, ByteRange, OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { StagedFile } from '../../domain/ports/staging-area.ts';
import { isNotFound, translatingFileSystemErrors } from './file-system-errors.ts';
import { openBlobFile } from './open-blob-file.ts';
import { shardedPath } from './sharded-path.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Blobs as files: `ab/cd/<uuid>` below one folder, which several processes may share. A name is made of the UUID alone,
 * so nothing that a client says ever becomes a path.
 */
export class FilesystemBlobStore implements BlobStore {
  constructor(private readonly root: string) {}

  async put(key: string, file: StagedFile): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      const source = file.localPath ?? join(this.root, `${key}.part`);
      try {
        if (file.localPath === undefined) await copyIn(file, source);
        await syncFile(source);
        await this.moveDurably(source, path);
      } catch (error) {
        await Promise.allSettled([rm(source, { force: true }), rm(path, { force: true })]);
        throw error;
      }
    });
  }

  async open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const path = this.pathOf(key);
    return await translatingFileSystemErrors(() => openBlobFile(path, range));
  }

  async remove(key: string): Promise<void> {
    await translatingFileSystemErrors(() => rm(this.pathOf(key), { force: true }));
  }

  async ping(): Promise<void> {
    await translatingFileSystemErrors(() =>
      access(this.root, constants.R_OK | constants.W_OK | constants.X_OK),
    );
  }

  private pathOf(key: string): string {
    return shardedPath(this.root, key);
  }

  /** Rename is atomic: readers, and a crash, see no blob or all of it. The key is fresh, so nothing is replaced. */
  private async moveDurably(source: string, path: string): Promise<void> {
    try {
      await rename(source, path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.makeShard(path);
      await rename(source, path);
    }
    await syncDirectory(dirname(path));
  }

  /** The shard's own entry in its parents must survive as well. */
  private async makeShard(path: string): Promise<void> {
    const shard = dirname(path);
    await mkdir(shard, { recursive: true });
    await syncDirectory(dirname(shard));
    await syncDirectory(this.root);
  }
}

/** For a staged file that is not on a file system: there is nothing to rename. */
async function copyIn(file: StagedFile, path: string): Promise<void> {
  await pipeline(file.read(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
