import { TransferCatalog } from '../../../application/maintenance/transfer/transfer-catalog.ts';
import { TransferRefused } from '../../../application/maintenance/transfer/transfer-plan.ts';
import type { Finding } from '../../../application/maintenance/verify-catalog.ts';
import { RecordConflict, StorageUnavailable } from '../../../domain/errors.ts';
import type { CatalogStorage } from '../../catalog-storage.ts';
import { readEnvironment } from '../../config/environment.ts';
import {
  prepareDatabase,
  prepareStorage,
  requireOwnBlobs,
  requireStorage,
  requiring,
  schemaIn,
} from '../../start/prepare-storage.ts';
import { UnusableDependency } from '../../start/unusable-dependency.ts';
import { EXIT_CONFIG, EXIT_UNAVAILABLE } from '../command-line/exit-codes.ts';
import { stopOnSignal } from '../command-line/signals.ts';
import { explainUnavailable } from '../command-line/unavailable.ts';
import { printFindingAs, verifyStorage } from '../verify.ts';
import { withStorageOf } from '../with-storage.ts';
import { nameFlags, parseTransfer, type TransferCommand } from './transfer-options.ts';
import { printReport, runWithBar } from './transfer-output.ts';

const REFUSALS: Readonly<Record<TransferRefused['reason'], string>> = {
  not_empty:
    'The target is not empty. --resume continues an earlier transfer of this catalog; anything else needs an empty target.',
  foreign:
    'The target holds another catalog, or one that has changed independently since. The transfer changed nothing, or nothing since it noticed.',
  ahead:
    'The target has given ids that the source has not: a service has written to it, or its Postgres server has skipped some in a crash. The transfer stopped, because it would lose what the service has stored. Use an empty target.',
};

/** Resolves to 0 if the target is complete, 1 if not or with findings, 75 if a storage is unavailable, 78 if refused. */
export async function transfer(args: readonly string[]): Promise<number> {
  const command = await parseTransfer(args, readEnvironment());
  return await withStorageOf(command.source, async (source) => {
    await requireSource(source);
    return await withStorageOf(command.target, async (target) => {
      await prepareTarget(target);
      return await explainErrors(() => transferBetween(source, target, command));
    });
  });
}

async function requireSource(source: CatalogStorage): Promise<void> {
  await requiring('DATABASE_URL', () => source.config.database.requireExisting());
  if ((await schemaIn(source)) === 'older') await prepareDatabase(source);
  await requireStorage(source);
  await requireOwnBlobs(source.claimBlobStore, { dryRun: true });
}

async function prepareTarget(target: CatalogStorage): Promise<void> {
  try {
    await prepareStorage(target);
  } catch (error) {
    if (!(error instanceof UnusableDependency)) throw error;
    throw new UnusableDependency(nameFlags(error.variable), { cause: error.cause });
  }
}

/** A transfer can be resumed after any of these errors. */
async function explainErrors(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageUnavailable) {
      return failWith(
        EXIT_UNAVAILABLE,
        `${explainUnavailable(error)}\nContinue with --resume when it is available.`,
      );
    }
    if (error instanceof TransferRefused) return failWith(EXIT_CONFIG, REFUSALS[error.reason]);
    if (error instanceof RecordConflict) return failWith(EXIT_CONFIG, REFUSALS.foreign);
    throw error;
  }
}

function failWith(exitCode: number, explanation: string): number {
  console.error(explanation);
  return exitCode;
}

async function transferBetween(
  source: CatalogStorage,
  target: CatalogStorage,
  { moves, resume, verify, jobs, format }: TransferCommand,
): Promise<number> {
  const started = performance.now();
  const onFinding = printFindingAs(format);
  const stop = stopOnSignal();
  const plan = { ...moves, jobs, graceMs: target.config.sweep.graceMs };
  const transferCatalog = new TransferCatalog({ source, target }, source.clock, plan);
  const report = await runWithBar(transferCatalog, await source.images.count(), {
    resume,
    stopped: stop.signal,
    onFinding,
  });
  const isWanted = verify && report.outcome !== 'stopped';
  const verified = isWanted ? await verifyUnlessStopped(target, stop.signal, onFinding) : undefined;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  printReport({ ...report, ...(verified !== undefined && { verifyFindings: verified }), seconds }, format);
  const exitCode = stop.exitCode();
  if (exitCode !== undefined) return exitCode;
  return report.outcome === 'complete' && report.findings + (verified ?? 0) === 0 ? 0 : 1;
}

/** `undefined` if a signal stopped it. */
async function verifyUnlessStopped(
  target: CatalogStorage,
  stopped: AbortSignal,
  print: (finding: Finding) => void,
): Promise<number | undefined> {
  try {
    const options = { sample: 1, resumeFile: undefined, print, stopped };
    return (await verifyStorage(target, options)).findings;
  } catch (error) {
    if (!stopped.aborted || error !== stopped.reason) throw error;
    console.error(
      'Stopped during the verification of the target; image-catalog verify repeats it from the beginning.',
    );
    return undefined;
  }
}
