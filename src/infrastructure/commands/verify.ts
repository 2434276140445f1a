import { SingleBar } from 'cli-progress';
import { verifyMetrics } from '../../adapters/prometheus/verify-metrics.ts';
import type { Finding } from '../../application/maintenance/verify-catalog.ts';
import { HEX_DIGITS } from '../../domain/ports/records/sweep-slices.ts';
import type { CatalogStorage } from '../catalog-storage.ts';
import { requireDecoders, requireOwnBlobs } from '../start/prepare-storage.ts';
import { UnusableDependency } from '../start/unusable-dependency.ts';
import { type Progress, ProgressFile, replaceFile } from './command-line/progress-file.ts';
import { FORMAT, type Format, parseFormat, RESUME_FILE } from './command-line/shared-options.ts';
import { closingReport, countOf, parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

/** Records between two notes of the progress. */
const NOTE_EVERY = 100;

/** The first two digits of the keys of blobs. */
const SLICES = HEX_DIGITS.flatMap((first) => HEX_DIGITS.map((second) => first + second));

export interface VerifyOptions {
  /** From 0 to 1. */
  readonly sample: number;
  readonly resumeFile: string | undefined;
  readonly print: (finding: Finding) => void;
  readonly stopped?: AbortSignal | undefined;
}

interface CommandOptions extends VerifyOptions {
  readonly repairsCounters: boolean;
  readonly metricsFile: string | undefined;
}

/** Exit code 1 if there are findings. */
export async function verify(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  return await withStorage(async (storage) => {
    if (options.repairsCounters) return await repairCounters(storage, options);
    await warnOfForeignBlobs(storage);
    const result = await verifyWithMetrics(storage, options);
    closingReport(summaryOf(result), 'verified', result);
    return result.findings === 0 ? 0 : 1;
  });
}

async function repairCounters(
  { verifyCatalog }: CatalogStorage,
  { print }: Pick<CommandOptions, 'print'>,
): Promise<number> {
  const repaired = await verifyCatalog.repairCounters();
  for (const finding of repaired) print({ ...finding, detail: `${finding.detail}: set right` });
  closingReport(`${countOf(repaired.length, 'wrong counter')} set right.`, 'counters repaired', {
    repaired: repaired.length,
  });
  return 0;
}

export interface Verification {
  /** Records. */
  readonly checked: number;
  readonly findings: number;
}

function summaryOf({ checked, findings }: Verification): string {
  if (findings === 0) return `${countOf(checked, 'record')} checked: all of them have their bytes.`;
  return `${countOf(checked, 'record')} checked: ${countOf(findings, 'finding')}, listed above.`;
}

/** A verification that does not reach its end leaves the metrics of the last one. */
async function verifyWithMetrics(
  storage: CatalogStorage,
  { metricsFile, ...options }: CommandOptions,
): Promise<Verification> {
  const started = performance.now();
  const findings = new Map<Finding['problem'], number>();
  const print = (finding: Finding): void => {
    findings.set(finding.problem, (findings.get(finding.problem) ?? 0) + 1);
    options.print(finding);
  };
  const result = await verifyStorage(storage, { ...options, print });
  const outcome = { findings, sample: options.sample, seconds: (performance.now() - started) / 1000 };
  if (metricsFile !== undefined) await replaceFile(metricsFile, await verifyMetrics(outcome));
  return result;
}

/** A wrong pair may be verified, but its findings mean little. */
async function warnOfForeignBlobs({ claimBlobStore }: CatalogStorage): Promise<void> {
  try {
    await requireOwnBlobs(claimBlobStore, { dryRun: true });
  } catch (error) {
    if (!(error instanceof UnusableDependency)) throw error;
    console.error(error.message);
  }
}

export async function verifyStorage(
  storage: Pick<CatalogStorage, 'verifyCatalog' | 'images' | 'trash' | 'decoders' | 'config'>,
  options: VerifyOptions,
): Promise<Verification> {
  const file = new ProgressFile(options.resumeFile, 'verify');
  const started = await file.read();
  const records =
    started.slices === undefined ? await verifyRecords(storage, options, file, started) : started;
  const others = await verifyOthers(storage, options);
  const { checked, findings } = await verifyBlobs(storage, options, file, records);
  await file.remove();
  return { checked, findings: findings + others };
}

function parseOptions(args: readonly string[]): CommandOptions {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      ...FORMAT,
      ...RESUME_FILE,
      sample: { type: 'string' },
      metrics: { type: 'string' },
      'repair-counters': { type: 'boolean' },
    },
  });
  const { format, 'repair-counters': repairsCounters = false, ...others } = values;
  if (repairsCounters && Object.keys(others).length > 0) {
    throw new UsageError('--repair-counters verifies nothing: it takes no option but --format');
  }
  // Findings before an interruption are not known by their problem.
  if (values.metrics !== undefined && values.resume !== undefined) {
    throw new UsageError('--metrics and --resume exclude each other');
  }
  return {
    repairsCounters,
    sample: parseSample(values.sample ?? '100%'),
    resumeFile: values.resume,
    metricsFile: values.metrics,
    print: printFindingAs(parseFormat(format)),
  };
}

function parseSample(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) === 0 || Number(percent) > 100) {
    throw new UsageError('--sample must be a percentage above 0 and up to 100, such as 1%');
  }
  return Number(percent) / 100;
}

export function printFindingAs(format: Format): (finding: Finding) => void {
  return format === 'json' ? printJson : printRow;
}

function printJson(finding: Finding): void {
  console.log(JSON.stringify(finding));
}

function printRow({ problem, imageId, blobKey, space, name, detail }: Finding): void {
  const thing = blobKey ?? [JSON.stringify(space), ...(name === undefined ? [] : [name])].join(' ');
  console.log(`${problem.padEnd(10)} ${String(imageId ?? '-').padStart(10)} ${thing} ${detail}`);
}

async function verifyRecords(
  {
    verifyCatalog,
    images,
    trash,
    decoders,
  }: Pick<CatalogStorage, 'verifyCatalog' | 'images' | 'trash' | 'decoders'>,
  { sample, print, stopped }: VerifyOptions,
  file: ProgressFile,
  started: Progress,
): Promise<Progress> {
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false, etaBuffer: 1000 });
  let { checked, findings } = started;
  const records = (await images.count()) + (await trash.count());
  if (records > 0) await requireDecoders(decoders);
  bar.start(records, checked);
  for await (const { imageId, finding } of verifyCatalog.records({
    after: started.after,
    isChosen: () => Math.random() < sample,
    stopped,
  })) {
    checked += 1;
    if (finding !== undefined) {
      findings += 1;
      print(finding);
    }
    if (checked % NOTE_EVERY === 0) {
      bar.update(checked);
      await file.note({ after: imageId, checked, findings });
    }
  }
  bar.update(checked);
  bar.stop();
  return { checked, findings };
}

/** Counters and names. */
async function verifyOthers(
  { verifyCatalog }: Pick<CatalogStorage, 'verifyCatalog'>,
  { print }: VerifyOptions,
): Promise<number> {
  const findings = [...(await verifyCatalog.miscounted()), ...(await verifyCatalog.dangling())];
  for (const finding of findings) print(finding);
  return findings.length;
}

/** In slices if a kill is to repeat only one of them: each costs a request of its own on S3. */
async function verifyBlobs(
  { verifyCatalog, config }: Pick<CatalogStorage, 'verifyCatalog' | 'config'>,
  { resumeFile, print, stopped }: VerifyOptions,
  file: ProgressFile,
  started: Progress,
): Promise<Verification> {
  const { checked, slices: sliced = 0 } = started;
  let { findings } = started;
  for (const [index, prefix] of (resumeFile === undefined ? [''] : SLICES).entries()) {
    if (index < sliced) continue;
    for await (const finding of verifyCatalog.orphans(config.sweep.graceMs, stopped, prefix)) {
      findings += 1;
      print(finding);
    }
    await file.note({ checked, findings, slices: index + 1 });
  }
  return { checked, findings };
}
