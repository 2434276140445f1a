import type { ServiceMetrics } from './service-metrics.ts';
import { SWEPT_KINDS } from './swept-kinds.ts';

/** Numbers of what a sweep has removed. */
type Swept = Readonly<Partial<Record<keyof typeof SWEPT_KINDS, number>>>;

/** @param sweep resolves to `undefined` if there was nothing to do */
export async function countSweep<T extends Swept | undefined>(
  metrics: ServiceMetrics,
  counter: 'sweeps_total' | 'sweep_slices_total',
  sweep: () => Promise<T>,
): Promise<T> {
  const swept = await metrics.countResult(counter, sweep, (result) => result !== undefined);
  if (swept === undefined) return swept;
  for (const name of Object.keys(SWEPT_KINDS) as ReadonlyArray<keyof Swept>) {
    metrics.count('swept_total', SWEPT_KINDS[name], swept[name] ?? 0);
  }
  if (counter === 'sweeps_total') metrics.set('sweep_last_success_timestamp_seconds', Date.now() / 1000);
  return swept;
}
