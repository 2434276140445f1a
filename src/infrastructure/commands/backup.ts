import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { makeFolderDurably, syncPath } from '../../adapters/filesystem/fsync.ts';
import { BackupCatalog } from '../../application/maintenance/backup-catalog.ts';
import type { CatalogStorage } from '../catalog-storage.ts';
import { requiring } from '../start/prepare-storage.ts';
import { closingLine, countOf, parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

/** Resolves to 1 if records have no bytes to copy. */
export async function backup(args: readonly string[]): Promise<number> {
  const { positionals } = parseCommandLine({ args: [...args], allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw new UsageError('backup takes the folder to copy into');
  }
  return await withStorage(async (storage) => await backUpInto(resolve(folder), storage));
}

async function backUpInto(folder: string, storage: CatalogStorage): Promise<number> {
  const { config, database, identity, images, clock } = storage;
  await requiring('DATABASE_URL', () => config.database.requireCopyable());
  const blobs = await requiring('BLOB_STORE_URL', () => config.blobStore.copyTo(join(folder, 'blobs')));
  await requireEmpty(folder);
  const records = { identity, images, copy: () => database.copyTo(folder, clock) };
  const { total, lost } = await runWithBar(new BackupCatalog(records, blobs));
  await syncPath(folder);
  closingLine(`${countOf(total - lost, 'image')} copied to ${folder}.`);
  if (lost > 0) console.error(`${lost} records have no bytes that could be copied; run image-catalog verify`);
  return lost > 0 ? 1 : 0;
}

interface BackupResult {
  /** Records. */
  readonly total: number;
  /** Without bytes to copy. */
  readonly lost: number;
}

async function runWithBar(backupCatalog: BackupCatalog): Promise<BackupResult> {
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false });
  bar.start(0, 0);
  try {
    const lost = await backupCatalog.execute((done, total) => {
      bar.setTotal(total);
      bar.update(done);
    });
    return { total: bar.getTotal(), lost };
  } finally {
    bar.stop();
  }
}

async function requireEmpty(folder: string): Promise<void> {
  await makeFolderDurably(folder);
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
}
