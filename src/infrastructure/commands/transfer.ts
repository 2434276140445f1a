import { SingleBar } from 'cli-progress';
import type { Container } from 'inversify';
import { TransferCatalog } from '../../application/maintenance/transfer-catalog.ts';
import {
  type TransferPlan,
  TransferRefused,
  type TransferReport,
  type TransferTarget,
} from '../../application/maintenance/transfer-plan.ts';
import type { Finding } from '../../application/maintenance/verify-catalog.ts';
import { RecordConflict, StorageUnavailable } from '../../domain/errors.ts';
import { InvalidConfig, parseStorageConfig, type StorageConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import {
  claimBlobStore,
  prepareDatabase,
  prepareStorage,
  requireStorage,
  UnusableDependency,
} from '../prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { exitCodeOfSignal, firstSignal, type StopSignal } from './first-signal.ts';
import { isSamePlace } from './same-place.ts';
import { EXIT_UNAVAILABLE, explainUnavailable } from './unavailable.ts';
import { type Format, parseCommandLine, parseFormat, UsageError } from './usage.ts';
import { printFindingAs, verifyStorage } from './verify.ts';
import { withContainer } from './with-storage.ts';

/** The flags that say where to, and what they stand for in the configuration of the target. */
const TARGET_FLAGS = { DATABASE_URL: '--to-database', BLOB_STORE_URL: '--to-blobs' } as const;

const MAX_CONCURRENCY = 64;

/** EX_CONFIG of sysexits.h: do not try that again. */
const EXIT_REFUSED = 78;

const REFUSALS: Readonly<Record<TransferRefused['reason'], string>> = {
  not_empty:
    'The target is not empty. --resume goes on with a transfer of this catalog that was begun before; anything else needs an empty target.',
  foreign:
    'The target holds another catalog, or one that has gone its own way since. Nothing, or nothing more, was changed in it.',
  ahead:
    'The target has given ids that the source has not: a service has written to it, or its Postgres server has skipped some in a crash. What a service has got would be lost, so nothing more was changed. An empty target is free of both.',
};

interface Options {
  readonly source: StorageConfig;
  readonly target: StorageConfig;
  /** Whether the target has records, or blobs, of its own, and does not share them with the source. */
  readonly moves: Pick<TransferPlan, 'records' | 'blobs'>;
  readonly resume: boolean;
  readonly verify: boolean;
  readonly concurrency: number;
  readonly format: Format;
}

/**
 * Copies the configured catalog, which may be in use, to another database, another blob store, or both. Exit code 0 where the
 * target had everything in the end, 1 where it had not or something is wrong with it, 75 where a storage could not be used.
 */
export async function transfer(args: readonly string[]): Promise<number> {
  const options = await parseOptions(args, readEnvironment());
  return await withContainer(options.source, async (source) => {
    await requireSource(source);
    return await withContainer(options.target, async (target) => {
      await prepareTarget(target);
      return await explainingErrors(() => transferBetween(source, target, options));
    });
  });
}

async function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Options> {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      'to-database': { type: 'string' },
      'to-blobs': { type: 'string' },
      resume: { type: 'boolean' },
      verify: { type: 'boolean' },
      concurrency: { type: 'string' },
      format: { type: 'string' },
    },
  });
  const source = parseStorageConfig(environment);
  const target = parseTarget({
    ...environment,
    // A URL may bear a password, and flags can be seen by everybody on the machine.
    DATABASE_URL: values['to-database'] ?? environment.TRANSFER_TO_DATABASE ?? environment.DATABASE_URL,
    BLOB_STORE_URL: values['to-blobs'] ?? environment.TRANSFER_TO_BLOBS ?? environment.BLOB_STORE_URL,
  });
  const moves = {
    records: !(await isSamePlace(source.database, target.database)),
    blobs: !(await isSamePlace(source.blobStore, target.blobStore)),
  };
  if (!moves.records && !moves.blobs)
    throw new UsageError('transfer needs --to-database, --to-blobs or both, other than what is configured');
  return {
    source,
    target,
    moves,
    resume: values.resume === true,
    verify: values.verify === true,
    concurrency: parseConcurrency(values.concurrency ?? '8'),
    format: parseFormat(values.format),
  };
}

function parseTarget(environment: Readonly<Record<string, string | undefined>>): StorageConfig {
  try {
    return parseStorageConfig(environment);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    throw new InvalidConfig(error.problems.map(namingFlags));
  }
}

function namingFlags(problem: string): string {
  return problem.replace(/^(DATABASE_URL|BLOB_STORE_URL)\b/, (name) =>
    name === 'DATABASE_URL' ? TARGET_FLAGS.DATABASE_URL : TARGET_FLAGS.BLOB_STORE_URL,
  );
}

function parseConcurrency(text: string): number {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_CONCURRENCY) return number;
  throw new UsageError(`--concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}`);
}

async function requireSource(source: Container): Promise<void> {
  await requireStorage(source);
  // One that no service of this version has run on yet: its identity goes with it.
  if ((await source.get(TOKENS.identity).find()) === undefined) await prepareDatabase(source);
  await claimBlobStore(source, { dryRun: true });
}

async function prepareTarget(target: Container): Promise<void> {
  try {
    await prepareStorage(target);
  } catch (error) {
    if (!(error instanceof UnusableDependency)) throw error;
    throw new UnusableDependency(namingFlags(error.variable), { cause: error.cause });
  }
}

/** Whatever ends a transfer leaves it so that it can be resumed. */
async function explainingErrors(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageUnavailable)
      return failWith(EXIT_UNAVAILABLE, `${explainUnavailable(error)}\nGo on with --resume once it can.`);
    if (error instanceof TransferRefused) return failWith(EXIT_REFUSED, REFUSALS[error.reason]);
    if (error instanceof RecordConflict) return failWith(EXIT_REFUSED, REFUSALS.foreign);
    throw error;
  }
}

function failWith(exitCode: number, explanation: string): number {
  console.error(explanation);
  return exitCode;
}

async function transferBetween(source: Container, target: Container, options: Options): Promise<number> {
  const started = performance.now();
  const print = printFindingAs(options.format);
  const stop = stopOnSignal();
  const report = await runWithBar(transferOf(source, target, options), options, stop, print);
  const isWanted = options.verify && report.outcome !== 'stopped';
  const verified = isWanted ? await verifyUnlessStopped(target, stop, print) : undefined;
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  printReport({ ...report, ...(verified !== undefined && { verifyFindings: verified }), seconds }, options);
  if (stop.signal !== undefined) return exitCodeOfSignal(stop.signal);
  return report.outcome === 'complete' && report.findings + (verified ?? 0) === 0 ? 0 : 1;
}

/** Resolves to the number of findings, or to `undefined` where it was stopped before it knew all of them. */
async function verifyUnlessStopped(
  target: Container,
  { stopped }: Stop,
  print: (finding: Finding) => void,
): Promise<number | undefined> {
  try {
    return await verifyStorage(target, { sample: 1, resumeFile: undefined, print, stopped });
  } catch (error) {
    if (!stopped.aborted || error !== stopped.reason) throw error;
    console.error(
      'Stopped while the target was verified; image-catalog verify does that from the beginning.',
    );
    return undefined;
  }
}

interface Stop {
  readonly stopped: AbortSignal;
  /** What has asked for it, if anything has. */
  signal: StopSignal | undefined;
}

function stopOnSignal(): Stop {
  const controller = new AbortController();
  const stop: Stop = { stopped: controller.signal, signal: undefined };
  void firstSignal().then((signal) => {
    stop.signal = signal;
    controller.abort();
  });
  return stop;
}

function transferOf(source: Container, target: Container, options: Options): TransferCatalog {
  const plan: TransferPlan = {
    ...options.moves,
    concurrency: options.concurrency,
    graceMs: options.target.sweep.graceMs,
  };
  const ends = { source: portsOf(source), target: portsOf(target) };
  return new TransferCatalog(ends, source.get(TOKENS.clock), plan);
}

function portsOf(container: Container): TransferTarget {
  return {
    identity: container.get(TOKENS.identity),
    images: container.get(TOKENS.images),
    keys: container.get(TOKENS.keys),
    blobs: container.get(TOKENS.blobs),
    staging: container.get(TOKENS.staging),
  };
}

async function runWithBar(
  transferCatalog: TransferCatalog,
  { resume }: Options,
  { stopped }: Stop,
  onFinding: (finding: Finding) => void,
): Promise<TransferReport> {
  const bar = new SingleBar({
    stream: process.stderr,
    noTTYOutput: false,
    format:
      'pass {pass} [{bar}] {percentage}% | {value}/{total} images | {megabytes} MB copied | ETA {eta_formatted}',
  });
  bar.start(await transferCatalog.count(), 0, { pass: 1, megabytes: 0 });
  const onProgress = ({ compared, passes, bytes }: TransferReport): void =>
    bar.update(compared, { pass: passes, megabytes: Math.round(bytes / 1e6) });
  try {
    return await transferCatalog.execute({ resume, stopped, onProgress, onFinding });
  } finally {
    bar.stop();
  }
}

function printReport(
  report: TransferReport & { readonly verifyFindings?: number; readonly seconds: number },
  { format }: Options,
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
