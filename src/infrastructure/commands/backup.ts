import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Container } from 'inversify';
import { makeFolderDurably } from '../../adapters/filesystem/make-folder-durably.ts';
import { syncPath } from '../../adapters/filesystem/sync-path.ts';
import { BackupCatalog } from '../../application/maintenance/backup-catalog.ts';
import { CopyUnsupported } from '../../domain/ports/commands/record-copy.ts';
import type { StorageConfig } from '../config/config.ts';
import { resolveAll } from '../resolve-all.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { CommandRefused } from './command-line/command-refused.ts';
import { EXIT_CONFIG } from './command-line/exit-codes.ts';
import { lossReport } from './command-line/loss-report.ts';
import { flag, operand, TEXT } from './command-line/option.ts';
import { countOf } from './command-line/output.ts';
import { ProgressFile } from './command-line/progress-file.ts';
import { UsageError } from './command-line/usage-error.ts';
import { walkRecords } from './command-line/walk-records.ts';
import { withStorage } from './with-storage.ts';

/** In the folder, until the backup is complete. */
export const BACKUP_PROGRESS = 'backup-progress.json';

const BACKUP_WORDS = { lost: 'that could be copied', damaged: ', and copied as found' };

/** Exit code 1 if records have no bytes to copy, or damaged ones, 78 if the catalog is not in files alone. */
export const backup = command({
  summary: 'makes a consistent copy in a new or empty folder; the service may run',
  operands: { folder: operand('DIR', TEXT) },
  options: { resume: flag('continues in the folder of a backup that was killed') },
  run: ({ folder, resume }) => withStorage((storage) => backUpInto(resolve(folder), storage, resume)),
});

async function backUpInto(folder: string, storage: Container, resume: boolean): Promise<number> {
  const config = storage.get(TOKENS.storageConfig);
  const { database, identity, images, trash, clock } = resolveAll(
    storage,
    'database',
    'identity',
    'images',
    'trash',
    'clock',
  );
  requireFiles(folder, config);
  const blobs = config.blobStore.copyTo(join(folder, 'blobs'));
  const file = new ProgressFile(join(folder, BACKUP_PROGRESS), 'backup');
  if (!resume || !existsSync(join(folder, BACKUP_PROGRESS))) await requireEmpty(folder);
  const records = { identity, images, copy: () => database.copyTo(folder, clock) };
  const started = await file.read();
  // Its existence shows that the folder is one of a backup.
  await file.note(started);
  const total = (await images.count()) + (await trash.count());
  const copied = new BackupCatalog(records, blobs).records(started.after);
  let { damaged = 0 } = started;
  const walk = { file, started, total, notes: () => ({ damaged }) };
  const { checked, findings } = await walkRecords(copied, walk, (finding) => {
    if (finding === 'damaged') damaged += 1;
  });
  await file.remove();
  await syncPath(folder);
  console.error(`${countOf(checked - findings, 'image')} copied to ${folder}.`);
  for (const line of lossReport({ lost: findings - damaged, damaged }, BACKUP_WORDS)) console.error(line);
  return findings > 0 ? 1 : 0;
}

/** @throws {CommandRefused} with the commands that copy a catalog that is not in files alone, records before bytes */
function requireFiles(folder: string, { database, blobStore }: StorageConfig): void {
  const records = commandInstead(() => database.requireCopyable(folder));
  const bytes = commandInstead(() => blobStore.copyTo(join(folder, 'blobs')));
  if (records === undefined && bytes === undefined) return;
  const vacuum = `vacuum into '${join(folder, 'catalog.sqlite').replaceAll("'", "''")}'`;
  const commands = [
    ['mkdir', '-p', folder],
    records ?? ['sqlite3', String(database.file), vacuum],
    bytes ?? ['cp', '-a', String(blobStore.blobFolder), join(folder, 'blobs')],
  ];
  const lines = commands.map((words) => `  ${words.map(quoted).join(' ')}`);
  throw new CommandRefused(
    EXIT_CONFIG,
    `backup copies files, and this catalog is not in files alone. Nothing was copied. Run in this order:\n${lines.join('\n')}`,
  );
}

/** The shell command that copies this store; `undefined` if `backup` can copy it itself. */
function commandInstead(copy: () => unknown): readonly string[] | undefined {
  try {
    copy();
    return undefined;
  } catch (error) {
    if (error instanceof CopyUnsupported) return error.command;
    throw error;
  }
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

async function requireEmpty(folder: string): Promise<void> {
  await makeFolderDurably(folder);
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
}
