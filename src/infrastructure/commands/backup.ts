import { constants, copyFile, link, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import type { Container } from 'inversify';
import { isNotFound } from '../../adapters/filesystem/file-system-errors.ts';
import { FilesystemBlobStore } from '../../adapters/filesystem/filesystem-blob-store.ts';
import { makeFolderDurably } from '../../adapters/filesystem/make-folder-durably.ts';
import { shardedPath } from '../../adapters/filesystem/sharded-path.ts';
import { syncDirectory } from '../../adapters/filesystem/sync-directory.ts';
import { syncFile } from '../../adapters/filesystem/sync-file.ts';
import { ObjectionImageRepository } from '../../adapters/sql/objection-image-repository.ts';
import { openSqliteDatabase } from '../../adapters/sql/sqlite-database.ts';
import { ListImages } from '../../application/list-images.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import { UnusableDependency } from '../prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { parseCommandLine, UsageError } from './usage.ts';
import { withStorage } from './with-storage.ts';

/** The copy that is being made. */
interface Copy {
  readonly images: ImageRepository;
  /** Of the blobs. */
  readonly folder: string;
  /** Where those are that are copied. */
  readonly sourceFolder: string;
}

/**
 * Copies the catalog while the service goes on: first the database, at one moment, then the blobs that it names. Blobs never
 * change, so a hard link is a copy where the file system allows one. What is deleted meanwhile is taken out of the copy.
 *
 * @returns 1 where records have no bytes to copy
 */
export async function backup(args: readonly string[]): Promise<number> {
  const { positionals } = parseCommandLine({ args: [...args], allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new UsageError('backup takes the folder to copy into');
  return await withStorage(async (container) => await backUpInto(resolve(folder), container));
}

async function backUpInto(folder: string, container: Container): Promise<number> {
  requireSqlite(container);
  const sourceFolder = blobFolderOf(container);
  await requireEmpty(folder);
  const databasePath = join(folder, 'catalog.sqlite');
  await container.get(TOKENS.knex).raw('VACUUM INTO ?', [databasePath]);
  const copiedDatabase = openSqliteDatabase(databasePath);
  try {
    const images = new ObjectionImageRepository(copiedDatabase, container.get(TOKENS.clock));
    const lost = await copyBlobs({ images, folder: join(folder, 'blobs'), sourceFolder }, container);
    if (lost > 0)
      console.error(`${lost} records have no bytes that could be copied; run image-catalog verify`);
    return lost > 0 ? 1 : 0;
  } finally {
    await copiedDatabase.destroy();
    await syncDirectory(folder);
  }
}

function requireSqlite(container: Container): void {
  if (container.get(TOKENS.storageConfig).database.kind === 'sqlite') return;
  const cause = new Error('backup copies a SQLite file; use pg_dump or a base backup of the server');
  throw new UnusableDependency('DATABASE_URL', { cause });
}

function blobFolderOf(container: Container): string {
  const { blobStore } = container.get(TOKENS.storageConfig);
  if (blobStore.kind === 'file') return blobStore.path;
  const cause = new Error(
    'backup copies files, and these are objects; keep versions or a replica of the bucket',
  );
  throw new UnusableDependency('BLOB_STORE_URL', { cause });
}

async function requireEmpty(folder: string): Promise<void> {
  await makeFolderDurably(folder);
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
}

/** Resolves to the number of records whose bytes are lost. */
async function copyBlobs(copy: Copy, container: Container): Promise<number> {
  const live = container.get(TOKENS.images);
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false });
  bar.start(await copy.images.count({}), 0);
  const shards = new Set<string>();
  let lost = 0;
  await makeFolderDurably(copy.folder);
  await claimCopy(copy.folder, container);
  for await (const batch of new ListImages(copy.images).batches({ filter: {}, order: 'asc' })) {
    for (const { id, uuid } of batch) {
      const target = shardedPath(copy.folder, uuid);
      if (await linkOrCopy(shardedPath(copy.sourceFolder, uuid), target)) shards.add(dirname(target));
      else if ((await live.findById(id)) === undefined) await copy.images.removeById(id);
      else lost += 1;
    }
    bar.increment(batch.length);
  }
  for (const shard of shards) await syncDirectory(shard);
  bar.stop();
  return lost;
}

/** The copied records have the identity that these have. */
async function claimCopy(folder: string, container: Container): Promise<void> {
  const catalogId = await container.get(TOKENS.identity).find();
  if (catalogId !== undefined) await new FilesystemBlobStore(folder).claim(catalogId);
}

/** `false` where there is nothing to copy. */
async function linkOrCopy(source: string, target: string): Promise<boolean> {
  await makeFolderDurably(dirname(target));
  try {
    await link(source, target).catch(async (error: unknown) => {
      if (isNotFound(error)) throw error;
      // Another file system, or one without hard links.
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await syncFile(target);
    });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
