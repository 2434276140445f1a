import { createWriteStream } from 'node:fs';
import { access, constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore, ByteRange, OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { StagedFile } from '../../domain/ports/staging-area.ts';
import { isNotFound, translatingFileSystemErrors } from './file-system-errors.ts';
import { syncDirectory } from './sync-directory.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Blobs as files: `ab/cd/<uuid>` below one folder, which several processes may share. A name is made of the UUID alone,
 * so nothing that a client says ever becomes a path.
 */
export class FilesystemBlobStore implements BlobStore {
  constructor(private readonly root: string) {}

  async put(key: string, file: StagedFile): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      const source = file.localPath ?? (await this.copyIn(key, file));
      try {
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
    return await translatingFileSystemErrors(async () => {
      const handle = await openIfThere(path);
      if (handle === undefined) return undefined;
      try {
        const { size } = await handle.stat();
        return openedBlob(handle, size, range);
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
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
    if (!UUID.test(key)) throw new TypeError('A blob key is a lower-case UUID');
    return join(this.root, key.slice(0, 2), key.slice(2, 4), key);
  }

  /** For a staged file that is not on this file system: rename cannot move it, so it is copied to a temporary name first. */
  private async copyIn(key: string, file: StagedFile): Promise<string> {
    const path = join(this.root, `${key}.part`);
    await pipeline(file.read(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return path;
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

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function openedBlob(handle: FileHandle, size: number, range: ByteRange | undefined): OpenedBlob {
  // The stream owns the handle from here on and closes it at its end or when it is destroyed.
  // With its end named it need not read once more to find it.
  const stream = handle.createReadStream(range ?? { start: 0, end: Math.max(size - 1, 0) });
  return {
    size,
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
