import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '../../../../client/src/node.ts';
import { EXPORTED_RECORDS, readExportedRecords } from '../../../adapters/filesystem/exported-records.ts';
import { FileImportJournal } from '../../../adapters/filesystem/file-import-journal.ts';
import { explainSystemError, isSystemError } from '../../../adapters/filesystem/file-system-errors.ts';
import { FolderImportSource } from '../../../adapters/filesystem/folder-import-source.ts';
import { makeFolderDurably } from '../../../adapters/filesystem/fsync.ts';
import { RetryingImportTarget } from '../../../adapters/service-client/retrying-import-target.ts';
import { ServiceImportTarget } from '../../../adapters/service-client/service-import-target.ts';
import { SystemClock } from '../../../adapters/system/clock-and-uuids.ts';
import { describeFiles } from '../../../application/maintenance/import/described-files.ts';
import {
  ImportFolder,
  type ImportPlan,
  type ImportReport,
} from '../../../application/maintenance/import/import-folder.ts';
import { MEDIA_TYPES } from '../../../domain/image/media-type.ts';
import { ImportError } from '../../../domain/ports/commands/import-target.ts';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import { readEnvironment } from '../../config/environment.ts';
import { EXIT_UNAVAILABLE } from '../command-line/exit-codes.ts';
import { stopOnSignal } from '../command-line/signals.ts';
import { exitCodeOf } from '../command-line/unavailable.ts';
import { countOf, UsageError } from '../command-line/usage.ts';
import { remoteCatalog } from '../remote-catalog.ts';
import { adviceOf } from './import-advice.ts';
import type { Destination } from './import-directly.ts';
import { type ImportCommand, journalPath, parseImport } from './import-options.ts';
import { jsonOutput, terminalOutput } from './import-output.ts';

/** Without any success for this long, the import ends. */
const MAX_WAIT_MS = 10 * 60_000;

const ANY_DIGEST = '0'.repeat(64);

/** Resolves to 0, 1 if files have failed, 64 if nothing is imported with these options, 75 if the same call may do more later. */
export async function importFolder(args: readonly string[]): Promise<number> {
  const command = await parseImport(args);
  const environment = readEnvironment();
  if (!command.direct) return await importInto(serviceDestination(command, environment), command);
  // A storage needs twice the memory of a client.
  const { withDirectDestination } = await import('./import-directly.ts');
  return await withDirectDestination(command, (destination) => importInto(destination, command));
}

function serviceDestination(
  { url }: ImportCommand,
  environment: Readonly<Record<string, string | undefined>>,
): Destination {
  const { images, url: address } = remoteCatalog(url, environment, 0);
  const target = new ServiceImportTarget(images);
  return {
    target,
    catalog: address.href,
    // The service refuses what it does not take.
    accepted: MEDIA_TYPES,
    takesMetadata: async () => await target.takesMetadata(),
  };
}

/** Resolves to the exit code. */
async function importInto(destination: Destination, command: ImportCommand): Promise<number> {
  const stop = stopOnSignal();
  const options = { jobs: command.jobs, maxWaitMs: MAX_WAIT_MS, wait, onWaiting };
  const target = new RetryingImportTarget(destination.target, new SystemClock(), options);
  try {
    // Before any file is read: the catalog is there, and accepts the credentials.
    await target.lookUp([ANY_DIGEST], stop.signal);
    const describe = await descriptions(destination, command);
    const report = await run({ ...destination, target }, command, describe, stop.signal);
    const advice = adviceOf(report, target.verdict);
    if (advice !== undefined) console.error(advice);
    if (advice !== undefined) return EXIT_UNAVAILABLE;
    return report.failed > 0 ? 1 : 0;
  } catch (error) {
    const exitCode = stop.exitCode();
    if (exitCode !== undefined) return exitCode;
    const reason = error instanceof ImportError ? error.cause : error;
    if (!(reason instanceof CatalogError)) throw error;
    console.error(reason.message);
    return exitCodeOf(reason);
  }
}

async function run(
  { target, catalog, accepted }: Destination,
  command: ImportCommand,
  describe: ImportPlan['describe'],
  stopped: AbortSignal,
): Promise<Readonly<ImportReport>> {
  const { folder, jobs, dryRun, format } = command;
  const started = performance.now();
  const path = journalPath(command, catalog, readEnvironment()['XDG_STATE_HOME']);
  const journal = await openJournal(path, dryRun);
  const source = new FolderImportSource(folder, new Set([EXPORTED_RECORDS]));
  const importing = new ImportFolder(source, target, journal, { dryRun, jobs, accepted, describe });
  const output = format === 'json' ? jsonOutput(dryRun) : terminalOutput(dryRun, source.count());
  try {
    return await importing.execute({ stopped, onOutcome: output.onOutcome });
  } finally {
    journal.close();
    output.finish(importing.report, Math.round((performance.now() - started) / 100) / 10);
  }
}

/**
 * Before any upload: an import that cannot remember ends at once.
 *
 * @throws {UsageError}
 */
async function openJournal(path: string, dryRun: boolean): Promise<FileImportJournal> {
  try {
    if (!dryRun) await makeFolderDurably(dirname(path));
    return await FileImportJournal.open(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`--journal ${path} cannot be used: ${explainSystemError(error)}`);
  }
}

/** @throws {UsageError} */
async function descriptions(
  { takesMetadata }: Destination,
  { folder, tags }: ImportCommand,
): Promise<ImportPlan['describe']> {
  const exported = await readExportedRecords(folder);
  const hasMetadata = [...exported.values()].some(({ metadata }) => metadata !== undefined);
  const isTaken = (tags.length > 0 || hasMetadata) && (await takesMetadata());
  if (tags.length > 0 && !isTaken) {
    throw new UsageError('--tag: this catalog takes no metadata with an upload');
  }
  if (hasMetadata && !isTaken) {
    console.error('This catalog takes no metadata with an upload: only names are restored.');
  }
  const describe = describeFiles(exported, tags);
  return isTaken ? describe : (path) => ({ name: describe(path).name });
}

function onWaiting({ message }: CatalogError, minutes: number): void {
  const rest = MAX_WAIT_MS / 60_000 - minutes;
  console.error(
    `${message}: waiting since ${countOf(minutes, 'minute')}, for ${countOf(rest, 'minute')} more`,
  );
}

async function wait(ms: number, stopped: Cancellation): Promise<void> {
  await delay(ms, undefined, { signal: stopped as AbortSignal });
}
