import { SingleBar } from 'cli-progress';
import type { TransferCatalog } from '../../../application/maintenance/transfer/transfer-catalog.ts';
import type {
  TransferOptions,
  TransferReport,
} from '../../../application/maintenance/transfer/transfer-plan.ts';
import type { Format } from '../command-line/shared-options.ts';

export async function runWithBar(
  transferCatalog: TransferCatalog,
  total: number,
  options: Omit<TransferOptions, 'onProgress'>,
): Promise<TransferReport> {
  const bar = new SingleBar({
    stream: process.stderr,
    noTTYOutput: false,
    format:
      'pass {pass} [{bar}] {percentage}% | {value}/{total} images | {megabytes} MB copied | ETA {eta_formatted}',
  });
  bar.start(total, 0, { pass: 1, megabytes: 0 });
  const onProgress = ({ compared, passes, bytes }: TransferReport): void =>
    bar.update(compared, { pass: passes, megabytes: Math.round(bytes / 1e6) });
  try {
    return await transferCatalog.execute({ ...options, onProgress });
  } finally {
    bar.stop();
  }
}

export function printReport(
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
