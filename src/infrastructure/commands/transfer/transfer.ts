import type { Container } from 'inversify';
import { TransferCatalog } from '../../../application/maintenance/transfer/transfer-catalog.ts';
import type {
  TransferPlan,
  TransferReport,
  TransferTarget,
} from '../../../application/maintenance/transfer/transfer-plan.ts';
import { TransferRefused } from '../../../application/maintenance/transfer/transfer-refused.ts';
import type { Finding } from '../../../application/maintenance/verify-catalog.ts';
import { RecordConflict, StorageUnavailable } from '../../../domain/errors.ts';
import { parseStorageConfig, type StorageConfig } from '../../config/config.ts';
import { InvalidConfig } from '../../config/invalid-config.ts';
import { readEnvironment } from '../../config/read-environment.ts';
import type { Environment } from '../../config/variable-table.ts';
import { resolveAll } from '../../resolve-all.ts';
import {
  prepareDatabase,
  prepareStorage,
  requireDriver,
  requireOwnBlobs,
  requireStorage,
  requiring,
  schemaIn,
} from '../../start/prepare-storage.ts';
import { UnusableDependency } from '../../start/unusable-dependency.ts';
import { TOKENS } from '../../tokens.ts';
import { command } from '../command-line/command.ts';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_CONFIG, EXIT_UNAVAILABLE } from '../command-line/exit-codes.ts';
import { explainUnavailable } from '../command-line/explain-unavailable.ts';
import { flag, option, TEXT } from '../command-line/option.ts';
import type { Format } from '../command-line/output.ts';
import { formatOption, jobsOption } from '../command-line/shared-options.ts';
import { stopOnSignal } from '../command-line/until-signal.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { withBar } from '../command-line/with-bar.ts';
import { findingPrinter, verifyStorage } from '../verify.ts';
import { withStorageOf } from '../with-storage-of.ts';
import { isSamePlace } from './is-same-place.ts';

const REFUSALS: Readonly<Record<TransferRefused['reason'], string>> = {
  not_empty:
    'The target is not empty. --resume continues an earlier transfer of this catalog; anything else needs an empty target.',
  foreign:
    'The target holds another catalog, or one that has changed independently since. The transfer changed nothing, or nothing since it noticed.',
  ahead:
    'The target has given ids that the source has not: a service has written to it, or its Postgres server has skipped some in a crash. The transfer stopped, because it would lose what the service has stored. Use an empty target.',
};

/** Exit code 1 if the target is not complete, or with findings, 75 if a storage is unavailable, 78 if refused. */
export const transfer = command({
  summary: 'copies the catalog to another database, blob store, or both; the service may run',
  options: {
    toDatabase: option(
      'URL',
      'or the variable TRANSFER_TO_DATABASE, which other users cannot read',
      TEXT.optional(),
    ),
    toBlobs: option(
      'URL',
      'or the variable TRANSFER_TO_BLOBS; a part that is not named stays in place',
      TEXT.optional(),
    ),
    resume: flag('continues an earlier transfer, and catches up with the source'),
    verify: flag('finally checks every record of the target against its bytes'),
    jobs: jobsOption('copies of blobs', 8),
    format: formatOption('the report'),
  },
  run: async ({ toDatabase, toBlobs, ...options }) => {
    const environment = readEnvironment();
    const config = {
      source: parseStorageConfig(environment),
      target: targetConfig(environment, { toDatabase, toBlobs }),
    };
    const moves = await movesBetween(config.source, config.target);
    return await withStorageOf(config.source, async (source) => {
      await requireSource(source);
      return await withStorageOf(config.target, async (target) => {
        await prepareTarget(target);
        return await transferBetween(source, target, { ...options, moves }).catch(explain);
      });
    });
  },
});

interface TargetOptions {
  readonly toDatabase: string | undefined;
  readonly toBlobs: string | undefined;
}

/**
 * Variables are an alternative to flags, because all users of the machine can read flags, and a URL may hold a password.
 *
 * @throws {InvalidConfig}
 */
function targetConfig(environment: Environment, { toDatabase, toBlobs }: TargetOptions): StorageConfig {
  try {
    return parseStorageConfig({
      ...environment,
      DATABASE_URL: toDatabase ?? (environment.TRANSFER_TO_DATABASE || environment.DATABASE_URL),
      BLOB_STORE_URL: toBlobs ?? (environment.TRANSFER_TO_BLOBS || environment.BLOB_STORE_URL),
    });
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    throw new InvalidConfig(error.problems.map(nameFlags));
  }
}

/** Callers know the flags of the target, not the variables that they stand for. */
function nameFlags(problem: string): string {
  return problem.replace(/^DATABASE_URL\b/, '--to-database').replace(/^BLOB_STORE_URL\b/, '--to-blobs');
}

interface TransferOptions {
  readonly moves: Moves;
  readonly resume: boolean;
  readonly verify: boolean;
  readonly jobs: number;
  readonly format: Format;
}

type Moves = Pick<TransferPlan, 'records' | 'blobs'>;

/** @throws {UsageError} if there is nothing to move */
async function movesBetween(source: StorageConfig, target: StorageConfig): Promise<Moves> {
  const records = !(await isSamePlace(source.database, target.database));
  const blobs = !(await isSamePlace(source.blobStore, target.blobStore));
  if (records || blobs) return { records, blobs };
  throw new UsageError('transfer needs --to-database, --to-blobs or both, other than what is configured');
}

async function requireSource(source: Container): Promise<void> {
  const config = source.get(TOKENS.storageConfig);
  await requireDriver(config);
  await requiring('DATABASE_URL', () => config.database.requireExisting());
  if ((await schemaIn(source)) === 'older') await prepareDatabase(source);
  await requireStorage(source);
  await requireOwnBlobs(source.get(TOKENS.claimBlobStore), { dryRun: true });
}

async function prepareTarget(target: Container): Promise<void> {
  try {
    await prepareStorage(target, { mayShareBlobs: true });
  } catch (error) {
    if (!(error instanceof UnusableDependency)) throw error;
    throw new UnusableDependency(nameFlags(error.variable), { cause: error.cause });
  }
}

/** A transfer can be resumed after any of these errors. */
function explain(error: unknown): never {
  if (error instanceof StorageUnavailable) {
    const explanation = `${explainUnavailable(error)}\nContinue with --resume when it is available.`;
    throw new CommandRefused(EXIT_UNAVAILABLE, explanation);
  }
  if (error instanceof TransferRefused) throw new CommandRefused(EXIT_CONFIG, REFUSALS[error.reason]);
  if (error instanceof RecordConflict) throw new CommandRefused(EXIT_CONFIG, REFUSALS.foreign);
  throw error;
}

const PROGRESS =
  'pass {pass} [{bar}] {percentage}% | {value}/{total} images | {megabytes} MB copied | ETA {eta_formatted}';

async function transferBetween(
  source: Container,
  target: Container,
  { moves, resume, verify, jobs, format }: TransferOptions,
): Promise<number> {
  const started = performance.now();
  const onFinding = findingPrinter(format);
  const stop = stopOnSignal();
  const plan = { ...moves, jobs, graceMs: target.get(TOKENS.storageConfig).sweep.graceMs };
  const ends = { source: portsOf(source), target: portsOf(target) };
  const transferCatalog = new TransferCatalog(ends, source.get(TOKENS.clock), plan);
  const report = await withBar(
    await source.get(TOKENS.images).count(),
    (bar) =>
      transferCatalog.execute({
        resume,
        stopped: stop.signal,
        onFinding,
        onProgress: ({ compared, passes, bytes }) =>
          bar.update(compared, { pass: passes, megabytes: Math.round(bytes / 1e6) }),
      }),
    { format: PROGRESS, words: { pass: 1, megabytes: 0 } },
  );
  const isWanted = verify && report.outcome !== 'stopped';
  const verified = isWanted ? await verifyUnlessStopped(target, stop.signal, onFinding) : undefined;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  printReport({ ...report, ...(verified !== undefined && { verifyFindings: verified }), seconds }, format);
  const exitCode = stop.exitCode();
  if (exitCode !== undefined) return exitCode;
  return report.outcome === 'complete' && report.findings + (verified ?? 0) === 0 ? 0 : 1;
}

function portsOf(storage: Container): TransferTarget {
  return resolveAll(storage, 'identity', 'images', 'trash', 'names', 'tables', 'blobs', 'staging');
}

function printReport(
  report: TransferReport & { readonly verifyFindings?: number; readonly seconds: number },
  format: Format,
): void {
  if (format === 'json') console.log(JSON.stringify(report));
  else for (const [name, value] of Object.entries(report)) console.log(`${name.padEnd(15)} ${value}`);
  if (report.outcome === 'complete') return;
  console.error(
    report.outcome === 'stopped'
      ? 'Stopped; --resume goes on from here.'
      : 'The source is being written to. Make it read-only, and catch up with --resume.',
  );
}

/** `undefined` if a signal stopped it. */
async function verifyUnlessStopped(
  target: Container,
  stopped: AbortSignal,
  print: (finding: Finding) => void,
): Promise<number | undefined> {
  try {
    const options = { sample: 1, print, stopped };
    return (await verifyStorage(target, options)).findings;
  } catch (error) {
    if (!stopped.aborted || error !== stopped.reason) throw error;
    console.error(
      'Stopped during the verification of the target; image-catalog verify repeats it from the beginning.',
    );
    return undefined;
  }
}
