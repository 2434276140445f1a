import { existsSync, lstatSync } from 'node:fs';
import { chmod, constants, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Container } from 'inversify';
import { FileStoreLocation } from '../../adapters/filesystem/file-store-location.ts';
import { makeFolderDurably } from '../../adapters/filesystem/make-folder-durably.ts';
import { syncPath } from '../../adapters/filesystem/sync-path.ts';
import { translatingFileSystemErrors } from '../../adapters/filesystem/translating-file-system-errors.ts';
import { shardsIn } from '../../adapters/filesystem/walk-shards.ts';
import { faultIn } from '../../adapters/sql/sqlite/fault-in.ts';
import { SqliteLocation } from '../../adapters/sql/sqlite/sqlite-location.ts';
import { BackupCatalog } from '../../application/maintenance/backup-catalog.ts';
import { parseStorageConfig } from '../config/config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import { resolveAll } from '../resolve-all.ts';
import { prepareDatabase, requireDriver, requireOwnBlobs, schemaIn } from '../start/prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { BACKUP_PROGRESS } from './backup.ts';
import { command } from './command-line/command.ts';
import { CommandRefused } from './command-line/command-refused.ts';
import { EXIT_CANNOT_CREATE, EXIT_CONFIG, EXIT_DATA } from './command-line/exit-codes.ts';
import { lossReport } from './command-line/loss-report.ts';
import { operand, TEXT } from './command-line/option.ts';
import { withStorageOf } from './with-storage-of.ts';

interface Places {
  /** That `backup` has made. */
  readonly copy: string;
  readonly file: string;
  readonly blobFolder: string;
}

const RESTORE_WORDS = { lost: 'in the copy', damaged: ' in the copy' };

/** Exit code 1 if records have no bytes in the copy, or damaged ones, 65 if the copy is not whole, 73 if there is a catalog already. */
export const restore = command({
  summary: 'puts a copy that backup has made into its place, and writes over no catalog',
  operands: { copy: operand('DIR', TEXT) },
  run: ({ copy }) => translatingFileSystemErrors(() => restoreFrom(resolve(copy))),
});

/**
 * The database gets its name last: before that, there is no catalog. A restore that was killed can be repeated; the file under the other
 * name shows that the blobs are its own.
 */
async function restoreFrom(copy: string): Promise<number> {
  const config = parseStorageConfig(readEnvironment());
  const { database, blobStore } = config;
  if (database.file === undefined || blobStore.blobFolder === undefined) throw notInFiles(copy);
  await requireDriver(config);
  const places = { copy, file: resolve(database.file), blobFolder: resolve(blobStore.blobFolder) };
  const part = `${places.file}.restoring`;
  await requireNoCatalog(places, part);
  requireWholeCopy(copy);
  await copyDatabase(places, part);
  const target = { ...config, database: new SqliteLocation(part) };
  await withStorageOf(target, (storage) => requireCatalogIn(part, places, storage)).catch(async (error) => {
    await removeDatabase(part);
    throw error;
  });
  const restored = await withStorageOf(target, (storage) => restoreBlobs(places, storage));
  await syncPath(part);
  await rename(part, places.file);
  await syncPath(dirname(places.file));
  report(restored);
  return restored.lost + restored.damaged > 0 ? 1 : 0;
}

function notInFiles(copy: string): CommandRefused {
  return new CommandRefused(
    EXIT_CONFIG,
    `restore puts a copy into files, and this catalog is not in files alone. Run instead:
  DATABASE_URL=sqlite:${copy}/catalog.sqlite BLOB_STORE_URL=file:${copy}/blobs image-catalog transfer --to-database URL --to-blobs URL`,
  );
}

/** A log without its file would be played into the restored one. */
async function requireNoCatalog({ file, blobFolder }: Places, part: string): Promise<void> {
  const found = [file, `${file}-wal`].find((path) => existsSync(path));
  if (found !== undefined) throw occupied(`${found} is there: restore writes over no catalog`);
  if (existsSync(part) || !existsSync(blobFolder)) return;
  for await (const _ of shardsIn(blobFolder)) {
    throw occupied(`${blobFolder} has blobs: restore writes over none`);
  }
}

function occupied(text: string): CommandRefused {
  const elsewhere = 'Move it away, or name another place in DATABASE_URL and BLOB_STORE_URL';
  return new CommandRefused(EXIT_CANNOT_CREATE, `${text}. ${elsewhere}`);
}

function notWhole(text: string): CommandRefused {
  return new CommandRefused(EXIT_DATA, text);
}

function requireWholeCopy(copy: string): void {
  if (!existsSync(join(copy, 'catalog.sqlite'))) {
    throw notWhole(`${copy} is no copy that backup has made: it has no catalog.sqlite`);
  }
  if (!lstatSync(join(copy, 'catalog.sqlite')).isFile()) {
    throw notWhole(`${copy} is no copy that backup has made: its catalog.sqlite is no regular file`);
  }
  if (existsSync(join(copy, BACKUP_PROGRESS))) {
    const wanted = `image-catalog backup ${copy} --resume`;
    throw notWhole(`The backup in ${copy} has not ended. Continue it: ${wanted}`);
  }
  if (existsSync(join(copy, 'catalog.sqlite-wal'))) {
    throw notWhole(`A service uses ${copy}, or was killed on it. Stop it, or start it and stop it`);
  }
}

async function copyDatabase({ copy }: Places, part: string): Promise<void> {
  await makeFolderDurably(dirname(part));
  await removeDatabase(part);
  // A copy gets the mode of its source. Nobody else can enter this folder before the mode is changed.
  const folder = await mkdtemp(`${part}-`);
  try {
    const copied = join(folder, basename(part));
    await copyFile(join(copy, 'catalog.sqlite'), copied, constants.COPYFILE_FICLONE);
    await chmod(copied, 0o600);
    await rename(copied, part);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
}

async function requireCatalogIn(part: string, { blobFolder }: Places, storage: Container): Promise<void> {
  const fault = await faultIn(part);
  const isCatalog = fault === undefined && (await schemaIn(storage)) !== 'none';
  if (!isCatalog) throw notWhole(`The database of the copy is damaged: ${fault ?? 'it has no tables'}`);
  await prepareDatabase(storage);
  await makeFolderDurably(blobFolder);
  await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun: true });
}

interface Restored {
  readonly images: number;
  /** Records without bytes in the copy. */
  readonly lost: number;
  /** Images whose bytes in the copy are damaged. */
  readonly damaged: number;
  readonly highestId: number;
  readonly highestNumber: number;
}

async function restoreBlobs({ copy, blobFolder }: Places, storage: Container): Promise<Restored> {
  const { identity, images, trash, names } = resolveAll(storage, 'identity', 'images', 'trash', 'names');
  const records = { identity, images, copy: async () => ({ images, trash, close: async () => {} }) };
  const blobs = new FileStoreLocation(join(copy, 'blobs')).copyTo(blobFolder);
  const found = { missing: 0, damaged: 0 };
  for await (const { finding } of new BackupCatalog(records, blobs).records()) {
    if (finding !== undefined) found[finding] += 1;
  }
  return {
    images: await images.count(),
    lost: found.missing,
    damaged: found.damaged,
    highestId: await images.highestId(),
    highestNumber: await names.highestNumber(),
  };
}

function report({ lost, damaged, ...restored }: Restored): void {
  console.log(JSON.stringify({ ...restored, lost, damaged }));
  const { highestId, highestNumber } = restored;
  console.error(
    `The next image has the id ${highestId + 1}, the next name the number ${highestNumber + 1}: what was given after the backup is not given again below them. Keys of links that were revoked after it are good again: run image-catalog rotate-link-key --revoke.`,
  );
  for (const line of lossReport({ lost, damaged }, RESTORE_WORDS)) console.error(line);
}
