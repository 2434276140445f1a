import type { TransferReport } from '../../../application/maintenance/transfer/transfer-plan.ts';
import type { Format } from '../command-line/output.ts';

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
