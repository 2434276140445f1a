import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, link, lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { Image } from '../../domain/image/image.ts';
import type { BlobCopy } from '../../domain/ports/commands/record-copy.ts';
import { FilesystemBlobStore } from './filesystem-blob-store.ts';
import { makeFolderDurably } from './make-folder-durably.ts';
import { syncPath } from './sync-path.ts';
import { ignoreMissing, isNotFound, isSystemError } from './translating-file-system-errors.ts';
import { shardedPath, shardsIn } from './walk-shards.ts';

/** Makes hard links if the file system allows them. */
export class BlobFolderCopy implements BlobCopy {
  private readonly shards = new Set<string>();

  constructor(
    private readonly source: string,
    private readonly target: string,
  ) {}

  async begin(catalogId: string | undefined): Promise<void> {
    await makeFolderDurably(this.target);
    if (catalogId !== undefined) await new FilesystemBlobStore(this.target).claim(catalogId);
    // Those of an interrupted copy are not durable yet.
    for await (const shard of shardsIn(this.target)) this.shards.add(join(this.target, shard));
  }

  async add(key: BlobKey): Promise<boolean> {
    const source = shardedPath(this.source, key);
    const path = shardedPath(this.target, key);
    await makeFolderDurably(dirname(path));
    try {
      // A link in a folder that somebody else has made could lead to any file of this machine.
      if (!(await lstat(source)).isFile()) return false;
      await linkOrCopy(source, path);
      this.shards.add(dirname(path));
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isInputOutputError(error) || (await canBeRead(source))) throw error;
      await rm(path, { force: true });
      return false;
    }
  }

  async isIntact({ uuid, size, sha256 }: Pick<Image, 'uuid' | 'size' | 'sha256'>): Promise<boolean> {
    const path = shardedPath(this.target, uuid);
    if ((await lstat(path)).size !== size) return false;
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(path), hash);
    } catch (error) {
      if (isInputOutputError(error) && (await this.hasUnreadableSource(uuid))) return false;
      throw error;
    }
    return hash.digest('hex') === sha256;
  }

  async finish(): Promise<void> {
    for (const shard of this.shards) await syncPath(shard);
  }

  /**
   * Whether a copy cannot be read because its source cannot: otherwise the disk of the copy is broken. A hard link is the source, and a
   * clone (`FICLONE`) shares its blocks.
   */
  private async hasUnreadableSource(key: BlobKey): Promise<boolean> {
    const source = shardedPath(this.source, key);
    const original = await lstat(source).catch(ignoreMissing);
    const copied = await lstat(shardedPath(this.target, key));
    const isLinked = original?.ino === copied.ino && original.dev === copied.dev;
    return isLinked || !(await canBeRead(source));
  }
}

/** A disk has a block that it cannot read or write. */
function isInputOutputError(error: unknown): boolean {
  return isSystemError(error) && error.code === 'EIO';
}

async function canBeRead(path: string): Promise<boolean> {
  try {
    await finished(createReadStream(path).resume());
    return true;
  } catch (error) {
    if (isInputOutputError(error) || isNotFound(error)) return false;
    throw error;
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  await link(source, target).catch(async (error: unknown) => {
    if (isNotFound(error)) throw error;
    if (isSystemError(error) && error.code === 'EEXIST') {
      await rm(target, { force: true });
      return await linkOrCopy(source, target);
    }
    // The target is on another file system, or on one without hard links.
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await syncPath(target);
  });
}
