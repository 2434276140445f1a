import { Counter, type Registry } from 'prom-client';
import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import { DurationHistogram } from './duration-histogram.ts';

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Method = (...args: unknown[]) => unknown;

/** Calls of a port, by method. */
export class CallMetrics {
  private readonly duration: DurationHistogram;
  private readonly errors: Counter<'operation'>;

  /** @param dependency part of the metrics' names */
  constructor(dependency: 'database' | 'blob', registry: Registry) {
    this.duration = new DurationHistogram({
      name: `image_catalog_${dependency}_call_duration_seconds`,
      help: `Duration of ${dependency} calls, failed ones included`,
      labelNames: ['operation'],
      buckets: BUCKETS,
      registry,
    });
    this.errors = new Counter({
      name: `image_catalog_${dependency}_call_errors_total`,
      help: `Failed ${dependency} calls`,
      labelNames: ['operation'],
      registers: [registry],
    });
  }

  /** Series that are there before the first call. */
  startAtZero(operations: readonly string[]): void {
    for (const operation of operations) {
      this.duration.of(operation);
      this.errors.inc({ operation }, 0);
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
        if (isFailure(error)) this.errors.inc({ operation });
      });
      return result;
    };
  }
}

/** Other errors of the domain, such as a key in use, are results of calls that work. */
function isFailure(error: unknown): boolean {
  return !(error instanceof DomainError) || error instanceof StorageUnavailable;
}
