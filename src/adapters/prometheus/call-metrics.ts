import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import type { DurationHistogram } from './duration-histogram.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Calls of a port, by method. */
export class CallMetrics {
  private readonly duration: DurationHistogram;

  /** @param operations methods whose series are there before the first call */
  constructor(
    private readonly dependency: 'database' | 'blob',
    private readonly metrics: ServiceMetrics,
    operations: readonly string[],
  ) {
    this.duration = metrics.durations(`${dependency}_call_duration_seconds`);
    for (const operation of operations) {
      this.duration.of(operation);
      metrics.count(`${dependency}_call_errors_total`, operation, 0);
    }
  }

  /** Returns what the call returns. */
  measure<T>(operation: string, call: () => T): T {
    const duration = this.duration.of(operation);
    const start = performance.now();
    const result = call();
    // Listings are no promises, and are not measured.
    if (!(result instanceof Promise)) return result;
    const note = (): void => duration.observe((performance.now() - start) / 1000);
    result.then(note, (error: unknown) => {
      note();
      if (isFailure(error)) this.metrics.count(`${this.dependency}_call_errors_total`, operation);
    });
    return result;
  }
}

/** Other errors of the domain, such as a key in use, are results of calls that work. */
function isFailure(error: unknown): boolean {
  return !(error instanceof DomainError) || error instanceof StorageUnavailable;
}
