import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CatalogError } from '../../../../client/src/node.ts';
import { EXPORTED_RECORDS, readExportedRecords } from '../../../adapters/filesystem/exported-records.ts';
import { FileImportJournal } from '../../../adapters/filesystem/file-import-journal.ts';
import { FolderImportSource } from '../../../adapters/filesystem/folder-import-source.ts';
import { makeFolderDurably } from '../../../adapters/filesystem/make-folder-durably.ts';
import {
  explainSystemError,
  isSystemError,
} from '../../../adapters/filesystem/translating-file-system-errors.ts';
import { oneLine } from '../../../adapters/service-client/one-line.ts';
import { RetryingImportTarget } from '../../../adapters/service-client/retrying-import-target.ts';
import { ServiceImportTarget } from '../../../adapters/service-client/service-import-target.ts';
import { SystemClock } from '../../../adapters/system/system-clock.ts';
import { describeFiles } from '../../../application/maintenance/import/describe-files.ts';
import { ImportFolder, type ImportReport } from '../../../application/maintenance/import/import-folder.ts';
import { InvalidMetadata } from '../../../domain/errors.ts';
import { parseTags } from '../../../domain/image/check-patch.ts';
import { MEDIA_TYPES } from '../../../domain/image/media-type.ts';
import { ImportError } from '../../../domain/ports/commands/import-target.ts';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import { readEnvironment } from '../../config/read-environment.ts';
import { command } from '../command-line/command.ts';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_UNAVAILABLE } from '../command-line/exit-codes.ts';
import { flag, listOption, operand, option, TEXT } from '../command-line/option.ts';
import { countOf, type Format } from '../command-line/output.ts';
import { CATALOG, formatOption, jobsOption, SPACE } from '../command-line/shared-options.ts';
import { untilSignal } from '../command-line/until-signal.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isCertificateError, unsaidReason } from '../explain-catalog-error.ts';
import { remoteCatalog } from '../remote-catalog.ts';
import { adviceOf } from './advice-of.ts';
import { excludedBy } from './excluded-by.ts';
import { jsonOutput } from './import-output.ts';
import { terminalOutput } from './terminal-output.ts';
import type { Destination } from './with-direct-destination.ts';

/** Without any success for this long, the import ends. */
const MAX_WAIT_MS = 10 * 60_000;

const ANY_DIGEST = '0'.repeat(64);

/** Exit code 1 if files have failed, 64 if nothing is imported with these options, 75 if the same call may do more later. */
export const importFolder = command({
  summary: 'uploads the images of a folder that the catalog has not; a later call does the rest',
  operands: { folder: operand('FOLDER', TEXT) },
  options: {
    ...CATALOG,
    space: option('NAME', "the space of the images, whatever its limits (default: '')", SPACE.optional(), {
      needs: 'direct',
    }),
    jobs: jobsOption('uploads', 16),
    tag: listOption('TAG', 'a tag for each new image, without a comma'),
    exclude: listOption(
      'PATTERN',
      "leaves out files and folders, such as '*.tif' or 'raw/**'; without a slash, names in any folder",
    ),
    dryRun: flag('reads and looks up, but uploads nothing and makes no catalog'),
    format: formatOption('one line per file, then the report'),
    journal: option(
      'FILE',
      'where to remember what is done (default: below ~/.local/state)',
      TEXT.optional(),
    ),
  },
  run: async ({ folder, url, direct, space, tag, exclude, ...options }) => {
    const plan = {
      ...options,
      isExcluded: excludedBy(exclude),
      folder: await requireFolder(folder),
      tags: requireTags(tag),
    };
    if (!direct) return await importInto(serviceDestination(url), plan);
    // A storage needs twice the memory of a client.
    const { withDirectDestination } = await import('./with-direct-destination.ts');
    const { dryRun } = options;
    return await withDirectDestination({ dryRun, space }, (destination) => importInto(destination, plan));
  },
});

interface FolderPlan {
  /** Absolute, without links. */
  readonly folder: string;
  readonly isExcluded: (path: string) => boolean;
  readonly tags: readonly string[];
  readonly jobs: number;
  readonly dryRun: boolean;
  readonly format: Format;
  readonly journal: string | undefined;
}

/** @throws {UsageError} */
async function requireFolder(folder: string): Promise<string> {
  try {
    const path = await realpath(folder);
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    throw new UsageError(`FOLDER cannot be read: ${explainSystemError(error as NodeJS.ErrnoException)}`);
  }
  throw new UsageError(`FOLDER cannot be read: ${folder} is a file`);
}

/** @throws {UsageError} as the catalog would refuse each file */
function requireTags(tags: readonly string[]): readonly string[] {
  try {
    return parseTags(tags, 'tags');
  } catch (error) {
    throw error instanceof InvalidMetadata ? new UsageError(`--tag ${error.rule}`) : error;
  }
}

function serviceDestination(url: string | undefined): Destination {
  const { images, url: address } = remoteCatalog(url, readEnvironment(), 0);
  // The service refuses what it does not take.
  return { target: new ServiceImportTarget(images), catalog: address.href, accepted: MEDIA_TYPES };
}

/** Resolves to the exit code. */
async function importInto(destination: Destination, plan: FolderPlan): Promise<number> {
  const options = { jobs: plan.jobs, maxWaitMs: MAX_WAIT_MS, wait, onWaiting, isFinal: isCertificateError };
  const target = new RetryingImportTarget(destination.target, new SystemClock(), options);
  return await untilSignal(async ({ signal: stopped }) => {
    const report = await run({ ...destination, target }, plan, stopped).catch((error: unknown) => {
      throw error instanceof ImportError ? error.cause : error;
    });
    const advice = adviceOf(report, target.verdict);
    if (advice !== undefined) throw new CommandRefused(EXIT_UNAVAILABLE, advice);
    return report.failed > 0 ? 1 : 0;
  });
}

async function run(
  { target, catalog, accepted }: Destination,
  plan: FolderPlan,
  stopped: AbortSignal,
): Promise<Readonly<ImportReport>> {
  const { folder, tags, jobs, dryRun, format } = plan;
  // Before any file is read: the catalog is there, and accepts the credentials.
  await target.lookUp([ANY_DIGEST], stopped);
  const describe = describeFiles(await recordsOf(folder), tags);
  const started = performance.now();
  const path = journalPath(plan, catalog);
  const journal = await openJournal(path, dryRun);
  const source = new FolderImportSource(folder, new Set([EXPORTED_RECORDS]), plan.isExcluded);
  const { onOutcome, finish } =
    format === 'json' ? jsonOutput(dryRun) : terminalOutput(dryRun, source.count());
  const whole = { dryRun, jobs, accepted, describe, stopped, onOutcome };
  const importing = new ImportFolder(source, target, journal, whole);
  try {
    return await importing.execute();
  } finally {
    journal.close();
    finish(importing.report, Math.round((performance.now() - started) / 100) / 10);
  }
}

/** @throws {UsageError} */
async function recordsOf(folder: string): ReturnType<typeof readExportedRecords> {
  try {
    return await readExportedRecords(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`FOLDER cannot be read: ${explainSystemError(error)}`);
  }
}

/**
 * Each pair of a folder and a catalog has a separate journal, in the state folder that the XDG Base Directory Specification names.
 */
function journalPath({ folder, journal }: FolderPlan, catalog: string): string {
  if (journal !== undefined) return resolve(journal);
  const stateHome = readEnvironment()['XDG_STATE_HOME'] || join(homedir(), '.local/state');
  const name = createHash('sha256').update(`${folder}\n${catalog}`).digest('hex').slice(0, 16);
  return join(stateHome, 'image-catalog', `import-${name}.jsonl`);
}

/**
 * Before any upload: an import that cannot remember ends at once.
 *
 * @throws {UsageError}
 */
async function openJournal(path: string, dryRun: boolean): Promise<FileImportJournal> {
  try {
    if (!dryRun) {
      await makeFolderDurably(dirname(path));
      await FileImportJournal.requireWritable(path);
    }
    return await FileImportJournal.open(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`--journal ${path} cannot be used: ${explainSystemError(error)}`);
  }
}

function onWaiting(error: CatalogError, minutes: number): void {
  const cause = unsaidReason(error);
  const reason = cause === undefined ? '' : ` (${cause})`;
  const rest = MAX_WAIT_MS / 60_000 - minutes;
  console.error(
    `${oneLine(`${error.message}${reason}`)}: waiting since ${countOf(minutes, 'minute')}, for ${countOf(rest, 'minute')} more`,
  );
}

async function wait(ms: number, stopped: Cancellation): Promise<void> {
  await delay(ms, undefined, { signal: stopped as AbortSignal });
}
