import type { ServiceMetrics } from './service-metrics.ts';

const KINDS = {
  stagedFiles: 'staged_file',
  blobs: 'blob',
  renditions: 'rendition',
  idempotencyKeys: 'idempotency_key',
  changes: 'change',
  names: 'removed_name',
  trashed: 'trashed_image',
} as const;

/** Numbers of what a sweep has removed. */
type Swept = Readonly<Partial<Record<keyof typeof KINDS, number>>>;

/** @param sweep resolves to `undefined` if there was nothing to do */
export async function countSweep<T extends Swept | undefined>(
  metrics: ServiceMetrics,
  counter: 'sweeps_total' | 'sweep_slices_total',
  sweep: () => Promise<T>,
): Promise<T> {
  const swept = await metrics.countResult(counter, sweep, (result) => result !== undefined);
  if (swept === undefined) return swept;
  for (const name of Object.keys(KINDS) as ReadonlyArray<keyof Swept>) {
    metrics.count('swept_total', KINDS[name], swept[name] ?? 0);
  }
  if (counter === 'sweeps_total') metrics.set('sweep_last_success_timestamp_seconds', Date.now() / 1000);
  return swept;
}
