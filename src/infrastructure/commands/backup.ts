import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { makeFolderDurably, syncPath } from '../../adapters/filesystem/fsync.ts';
import { BackupCatalog } from '../../application/maintenance/backup-catalog.ts';
import { CopyUnsupported } from '../../domain/ports/commands/catalog-copy.ts';
import type { CatalogStorage } from '../catalog-storage.ts';
import { EXIT_CONFIG } from './command-line/exit-codes.ts';
import { ProgressFile } from './command-line/progress-file.ts';
import { closingReport, countOf, parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

/** In the folder, until the backup is complete. */
export const BACKUP_PROGRESS = 'backup-progress.json';

/** Images whose blobs a killed backup copies again. */
const NOTE_EVERY = 1_000;

/** Resolves to 1 if records have no bytes to copy, 78 if the catalog is not in files alone. */
export async function backup(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { resume: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw new UsageError('backup takes the folder to copy into');
  }
  const resume = values.resume === true;
  return await withStorage(async (storage) => await backUpInto(resolve(folder), storage, resume));
}

async function backUpInto(folder: string, storage: CatalogStorage, resume: boolean): Promise<number> {
  const { config, database, identity, images, clock } = storage;
  const commands = commandsFor(folder, config);
  if (commands !== undefined) return refuse(commands);
  const blobs = config.blobStore.copyTo(join(folder, 'blobs'));
  const file = new ProgressFile(join(folder, BACKUP_PROGRESS), 'backup');
  if (!resume || !existsSync(join(folder, BACKUP_PROGRESS))) await requireEmpty(folder);
  const records = { identity, images, copy: () => database.copyTo(folder, clock) };
  const { total, lost } = await runWithBar(new BackupCatalog(records, blobs), file);
  await file.remove();
  await syncPath(folder);
  closingReport(`${countOf(total - lost, 'image')} copied to ${folder}.`, 'backup complete', {
    folder,
    images: total - lost,
    lost,
  });
  if (lost > 0) console.error(`${lost} records have no bytes that could be copied; run image-catalog verify`);
  return lost > 0 ? 1 : 0;
}

/** What copies a catalog that is not in files alone, records before bytes; `undefined` if this command does. */
function commandsFor(
  folder: string,
  { database, blobStore }: CatalogStorage['config'],
): readonly Command[] | undefined {
  const records = commandInstead(() => database.requireCopyable(folder));
  const bytes = commandInstead(() => blobStore.copyTo(join(folder, 'blobs')));
  if (records === undefined && bytes === undefined) return undefined;
  const vacuum = `vacuum into '${join(folder, 'catalog.sqlite').replaceAll("'", "''")}'`;
  return [
    ['mkdir', '-p', folder],
    records ?? ['sqlite3', String(database.file), vacuum],
    bytes ?? ['cp', '-a', String(blobStore.blobFolder), join(folder, 'blobs')],
  ];
}

type Command = readonly string[];

function commandInstead(copy: () => unknown): Command | undefined {
  try {
    copy();
    return undefined;
  } catch (error) {
    if (error instanceof CopyUnsupported) return error.command;
    throw error;
  }
}

function refuse(commands: readonly Command[]): number {
  const lines = commands.map((command) => `  ${command.map(quoted).join(' ')}`);
  console.error(
    `backup copies files, and this catalog is not in files alone. Nothing was copied. Run in this order:\n${lines.join('\n')}`,
  );
  return EXIT_CONFIG;
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

interface BackupResult {
  /** Records. */
  readonly total: number;
  /** Without bytes to copy. */
  readonly lost: number;
}

async function runWithBar(backupCatalog: BackupCatalog, file: ProgressFile): Promise<BackupResult> {
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false });
  const { after, checked, findings } = await file.read();
  // Its existence shows that the folder is one of a backup.
  await file.note({ after, checked, findings });
  bar.start(0, 0);
  let noted = checked;
  try {
    const lost = await backupCatalog.execute(
      async (progress, total) => {
        bar.setTotal(total);
        bar.update(progress.done);
        if (progress.done - noted < NOTE_EVERY) return;
        noted = progress.done;
        await file.note({ after: progress.after, checked: progress.done, findings: progress.lost });
      },
      { after, done: checked, lost: findings },
    );
    return { total: bar.getTotal(), lost };
  } finally {
    bar.stop();
  }
}

async function requireEmpty(folder: string): Promise<void> {
  await makeFolderDurably(folder);
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
}
