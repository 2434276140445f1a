import type { TransferCatalog } from '../../../application/maintenance/transfer/transfer-catalog.ts';
import type {
  TransferOptions,
  TransferReport,
} from '../../../application/maintenance/transfer/transfer-plan.ts';
import type { Format } from '../command-line/output.ts';
import { withBar } from '../command-line/with-bar.ts';

export async function runWithBar(
  transferCatalog: TransferCatalog,
  total: number,
  options: Omit<TransferOptions, 'onProgress'>,
): Promise<TransferReport> {
  return await withBar(
    total,
    (bar) => {
      const onProgress = ({ compared, passes, bytes }: TransferReport): void =>
        bar.update(compared, { pass: passes, megabytes: Math.round(bytes / 1e6) });
      return transferCatalog.execute({ ...options, onProgress });
    },
    {
      format:
        'pass {pass} [{bar}] {percentage}% | {value}/{total} images | {megabytes} MB copied | ETA {eta_formatted}',
      words: { pass: 1, megabytes: 0 },
    },
  );
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
