import type { TransferCatalog } from '../../../application/maintenance/transfer/transfer-catalog.ts';
import type {
  TransferOptions,
  TransferReport,
} from '../../../application/maintenance/transfer/transfer-plan.ts';
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
