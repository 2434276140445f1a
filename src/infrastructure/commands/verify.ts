import type { Container } from 'inversify';
import { verifyMetrics } from '../../adapters/prometheus/verify-metrics.ts';
import type { Finding, VerifyCatalog } from '../../application/maintenance/verify-catalog.ts';
import { TWO_DIGITS } from '../../domain/ports/records/sweep-slices.ts';
import { parsedText } from '../config/parsed-text.ts';
import { resolveAll } from '../resolve-all.ts';
import { requireDecoders, requireOwnBlobs } from '../start/prepare-storage.ts';
import { UnusableDependency } from '../start/unusable-dependency.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { flag, option, TEXT } from './command-line/option.ts';
import { countOf, type Format, printAs } from './command-line/output.ts';
import { type Progress, ProgressFile } from './command-line/progress-file.ts';
import { replaceFile } from './command-line/replace-file.ts';
import { formatOption, RESUME_FILE } from './command-line/shared-options.ts';
import { walkRecords } from './command-line/walk-records.ts';
import { withStorage } from './with-storage.ts';

/** A part, from 0 to 1. */
const PERCENTAGE = parsedText((text) => {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(text)?.[1]);
  return percent > 0 && percent <= 100 ? percent / 100 : undefined;
}, 'must be a percentage above 0 and up to 100, such as 1%');

/** Exit code 1 if there are findings. */
export const verify = command({
  summary: 'checks every record against its bytes; changes nothing unless asked to',
  options: {
    sample: option('PERCENT', 'checks a random part of the records: 1% or 0.5%', PERCENTAGE.default(1)),
    resume: RESUME_FILE,
    // Findings before an interruption are not known by their problem.
    metrics: option('FILE', "writes the result for Prometheus' node_exporter", TEXT.optional(), {
      excludes: ['resume'],
    }),
    repairCounters: flag('instead: counts the images of each space, and sets wrong counters right', {
      excludes: ['sample', 'resume', 'metrics'],
    }),
    format: formatOption('one line per finding'),
  },
  run: ({ sample, resume: resumeFile, metrics, repairCounters, format }) =>
    withStorage(async (storage) => {
      const print = findingPrinter(format);
      if (repairCounters) return await setCountersRight(storage.get(TOKENS.verifyCatalog), print);
      await warnOfForeignBlobs(storage);
      const result = await verifyWithMetrics(storage, { sample, resumeFile, print }, metrics);
      console.error(summaryOf(result));
      return result.findings === 0 ? 0 : 1;
    }),
});

async function setCountersRight(
  verifyCatalog: VerifyCatalog,
  print: (finding: Finding) => void,
): Promise<number> {
  const repaired = await verifyCatalog.repairCounters();
  for (const finding of repaired) print({ ...finding, detail: `${finding.detail}: set right` });
  console.error(`${countOf(repaired.length, 'wrong counter')} set right.`);
  return 0;
}

interface Verification {
  /** Records. */
  readonly checked: number;
  readonly findings: number;
}

function summaryOf({ checked, findings }: Verification): string {
  if (findings === 0) return `${countOf(checked, 'record')} checked: all of them have their bytes.`;
  return `${countOf(checked, 'record')} checked: ${countOf(findings, 'finding')}, listed above.`;
}

export interface VerifyOptions {
  /** From 0 to 1. */
  readonly sample: number;
  readonly resumeFile?: string | undefined;
  readonly print: (finding: Finding) => void;
  readonly stopped?: AbortSignal | undefined;
}

/** A verification that does not reach its end leaves the metrics of the last one. */
async function verifyWithMetrics(
  storage: Container,
  options: VerifyOptions,
  metricsFile: string | undefined,
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
async function warnOfForeignBlobs(storage: Container): Promise<void> {
  try {
    await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun: true });
  } catch (error) {
    if (!(error instanceof UnusableDependency)) throw error;
    console.error(error.message);
  }
}

export function findingPrinter(format: Format): (finding: Finding) => void {
  return printAs(format, ({ problem, imageId, blobKey, space, name, detail }) => {
    const thing = blobKey ?? [JSON.stringify(space), ...(name === undefined ? [] : [name])].join(' ');
    return `${problem.padEnd(10)} ${String(imageId ?? '-').padStart(10)} ${thing} ${detail}`;
  });
}

/** Checks the records, then counters and names, then the blobs. */
export async function verifyStorage(storage: Container, options: VerifyOptions): Promise<Verification> {
  const verifyCatalog = storage.get(TOKENS.verifyCatalog);
  const file = new ProgressFile(options.resumeFile, 'verify');
  const started = await file.read();
  const records =
    started.slices === undefined ? await verifyRecords(storage, options, file, started) : started;
  const others = [...(await verifyCatalog.miscounted()), ...(await verifyCatalog.dangling())];
  for (const finding of others) options.print(finding);
  const findings = await verifyBlobs(storage, options, file, records);
  await file.remove();
  return { checked: records.checked, findings: findings + others.length };
}

async function verifyRecords(
  storage: Container,
  { sample, print, stopped }: VerifyOptions,
  file: ProgressFile,
  started: Progress,
): Promise<Progress> {
  const { verifyCatalog, images, trash } = resolveAll(storage, 'verifyCatalog', 'images', 'trash');
  const total = (await images.count()) + (await trash.count());
  if (total > 0) await requireDecoders(storage.get(TOKENS.decoders));
  const isChosen = (): boolean => Math.random() < sample;
  const records = verifyCatalog.records({ after: started.after, isChosen, stopped });
  return await walkRecords(records, { file, started, total }, print);
}

/**
 * In slices if a kill is to repeat only one of them: each costs a request of its own on S3. Resolves to the number of findings, those
 * of the records included.
 */
async function verifyBlobs(
  storage: Container,
  { resumeFile, print, stopped }: VerifyOptions,
  file: ProgressFile,
  { checked, findings: found, slices: sliced = 0 }: Progress,
): Promise<number> {
  const { verifyCatalog, storageConfig } = resolveAll(storage, 'verifyCatalog', 'storageConfig');
  let findings = found;
  for (const [index, prefix] of (resumeFile === undefined ? [''] : TWO_DIGITS).entries()) {
    if (index < sliced) continue;
    for await (const finding of verifyCatalog.orphans(storageConfig.sweep.graceMs, stopped, prefix)) {
      findings += 1;
      print(finding);
    }
    await file.note({ checked, findings, slices: index + 1 });
  }
  return findings;
}
