import { access, constants, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStorage, ByteRange, FoundBlob, StoreEntry } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../domain/ports/bytes/staging-area.ts';
import { DirectorySyncs } from './directory-syncs.ts';
import { findFileState } from './file-state.ts';
import { STAGING_FOLDER } from './filesystem-staging-area.ts';
import { OWNER_NOTE, OwnerNote } from './owner-note.ts';
import { RecentFiles } from './recent-files.ts';
import { ignoreMissing, isNotFound, translatingFileSystemErrors } from './translating-file-system-errors.ts';
import { shardedPath, walkShards } from './walk-shards.ts';

/** `ab/<key>`; several processes may share the folder. Nothing that a client sends becomes a path. */
export class FilesystemBlobStore implements BlobStorage {
  private readonly syncs = new DirectorySyncs();
  private readonly recent = new RecentFiles();
  private readonly durableShards = new Set<string>();
  private readonly ownerNote: OwnerNote;

  constructor(private readonly root: string) {
    this.ownerNote = new OwnerNote(root);
  }

  async put(key: BlobKey, file: StagedFile): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      const source = file.localPath ?? partPath(path);
      try {
        await this.ensureShard(dirname(path));
        if (file.localPath === undefined) await copyIn(file, source);
        await this.moveIn(source, path);
        if (file.localPath === undefined) await file.discard();
      } catch (error) {
        await Promise.allSettled([rm(source, { force: true }), rm(path, { force: true })]);
        throw error;
      }
    });
  }

  async open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    return await this.unlessFolderMissing(this.recent.open(this.pathOf(key), range));
  }

  async find(key: BlobKey): Promise<FoundBlob | undefined> {
    return await this.unlessFolderMissing(findFile(this.pathOf(key)));
  }

  async remove(key: BlobKey): Promise<void> {
    const path = this.pathOf(key);
    await translatingFileSystemErrors(async () => {
      const isRemoved = await unlink(path).then(() => true, ignoreMissing);
      // A process that was killed may have left it unfinished.
      if (isRemoved !== true) await unlink(partPath(path)).catch(ignoreMissing);
    });
  }

  async *list(prefix = ''): AsyncGenerator<StoreEntry, void, undefined> {
    for await (const entry of walkShards(this.root, prefix)) {
      if ('foreign' in entry) {
        if (!isOurs(entry.foreign)) yield { kind: 'foreign', name: entry.foreign };
        continue;
      }
      const found = await stat(entry.path).catch(() => undefined);
      if (found === undefined) continue;
      if (found.isFile() && (entry.rest === '' || entry.rest === partPath(''))) {
        yield { kind: 'blob', key: entry.uuid, modified: found.mtime };
      } else {
        yield { kind: 'foreign', name: relative(this.root, entry.path) };
      }
    }
  }

  async owner(): Promise<string | undefined> {
    return await this.unlessFolderMissing(this.ownerNote.read());
  }

  async claim(catalogId: string): Promise<void> {
    await translatingFileSystemErrors(() => this.ownerNote.claim(catalogId));
  }

  async release(): Promise<void> {
    await translatingFileSystemErrors(() => this.ownerNote.remove());
  }

  async ping(): Promise<void> {
    await translatingFileSystemErrors(() =>
      access(this.root, constants.R_OK | constants.W_OK | constants.X_OK),
    );
  }

  private async unlessFolderMissing<T>(finding: Promise<T | undefined>): Promise<T | undefined> {
    return await translatingFileSystemErrors(async () => {
      const found = await finding;
      // Rejects if not only the file but the folder is missing.
      if (found === undefined) await access(this.root);
      return found;
    });
  }

  private pathOf(key: BlobKey): string {
    return shardedPath(this.root, key);
  }

  /** Rename is atomic: readers see no blob or all of it, also after a crash. */
  private async moveIn(source: string, path: string): Promise<void> {
    const shard = dirname(path);
    try {
      await rename(source, path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The shard was removed since this process made it.
      this.durableShards.delete(shard);
      await this.ensureShard(shard);
      await rename(source, path);
    }
    await this.syncs.sync(shard);
  }

  /** Each process syncs once, even if the shard exists: its maker may have been killed before its own sync. */
  private async ensureShard(shard: string): Promise<void> {
    if (this.durableShards.has(shard)) return;
    await mkdir(shard, { recursive: true });
    await this.syncs.sync(this.root);
    this.durableShards.add(shard);
  }
}

function isOurs(name: string): boolean {
  return name === STAGING_FOLDER || name === OWNER_NOTE || name.startsWith(`${OWNER_NOTE}.`);
}

/** For a staged file that is not on a file system. Opened first: a stream could create the file after its removal. */
async function copyIn(file: StagedFile, path: string): Promise<void> {
  const copy = await open(path, 'w', 0o600);
  await pipeline(file.read(), copy.createWriteStream({ flush: true }));
}

async function findFile(path: string): Promise<FoundBlob | undefined> {
  const found = await findFileState(path);
  return found && { size: found.size, localPath: path };
}

function partPath(path: string): string {
  return `${path}.part`;
}
