import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import type { Container } from 'inversify';
import { BlobFolderCopy } from '../../adapters/filesystem/blob-folder-copy.ts';
import { makeFolderDurably } from '../../adapters/filesystem/make-folder-durably.ts';
import { syncDirectory } from '../../adapters/filesystem/sync-directory.ts';
import { copySqliteRecords } from '../../adapters/sql/copy-sqlite-records.ts';
import { BackupCatalog } from '../../application/maintenance/backup-catalog.ts';
import { UnusableDependency } from '../prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { parseCommandLine, UsageError } from './usage.ts';
import { withStorage } from './with-storage.ts';

/**
 * Copies the catalog into a new or empty folder while the service runs.
 *
 * @returns 1 if records have no bytes to copy
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
  const blobs = new BlobFolderCopy(blobFolderOf(container), join(folder, 'blobs'));
  await requireEmpty(folder);
  const records = {
    identity: container.get(TOKENS.identity),
    images: container.get(TOKENS.images),
    copy: async () =>
      await copySqliteRecords(
        container.get(TOKENS.knex),
        join(folder, 'catalog.sqlite'),
        container.get(TOKENS.clock),
      ),
  };
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false });
  bar.start(0, 0);
  const lost = await new BackupCatalog(records, blobs).execute((done, total) => {
    bar.setTotal(total);
    bar.update(done);
  });
  bar.stop();
  await syncDirectory(folder);
  if (lost > 0) console.error(`${lost} records have no bytes that could be copied; run image-catalog verify`);
  return lost > 0 ? 1 : 0;
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
