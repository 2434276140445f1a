import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import type { DurationHistogram } from './duration-histogram.ts';
import type { ServiceMetrics } from './service-metrics.ts';

type Method = (...args: unknown[]) => unknown;

/** Calls of a port, by method. */
export class CallMetrics {
  private readonly duration: DurationHistogram;

  constructor(
    private readonly dependency: 'database' | 'blob',
    private readonly metrics: ServiceMetrics,
  ) {
    this.duration = metrics.durations(`${dependency}_call_duration_seconds`);
  }

  /** Series that are there before the first call. */
  startAtZero(operations: readonly string[]): void {
    for (const operation of operations) {
      this.duration.of(operation);
      this.metrics.count(`${this.dependency}_call_errors_total`, operation, 0);
    }
  }

  /** The method with a measurement of each call. */
  measured(operation: string, method: Method): Method {
    const duration = this.duration.of(operation);
    return (...args) => {
      const start = performance.now();
      const result = method(...args);
      // Listings are no promises, and are not measured.
      if (!(result instanceof Promise)) return result;
      const note = (): void => duration.observe((performance.now() - start) / 1000);
      result.then(note, (error: unknown) => {
        note();
        if (isFailure(error)) this.metrics.count(`${this.dependency}_call_errors_total`, operation);
      });
      return result;
    };
  }
}

/** Other errors of the domain, such as a key in use, are results of calls that work. */
function isFailure(error: unknown): boolean {
  return !(error instanceof DomainError) || error instanceof StorageUnavailable;
}
