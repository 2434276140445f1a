import { Counter, type Registry } from 'prom-client';
import { watchedPort } from '../../application/watched-port.ts';
import { CatalogError, StorageUnavailable } from '../../domain/errors.ts';
import { DurationHistogram } from './duration-histogram.ts';

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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

  /** @param operations methods whose series are there from the start */
  watch<Port extends object>(port: Port, operations: ReadonlyArray<keyof Port & string>): Port {
    for (const operation of operations) this.startAtZero(operation);
    return watchedPort(port, (operation, call) => {
      const start = performance.now();
      const result = call();
      // Listings are no promises, and are not measured.
      if (!(result instanceof Promise)) return result;
      const note = (error?: unknown): void => this.note(operation, performance.now() - start, error);
      result.then(() => note(), note);
      return result;
    });
  }

  private startAtZero(operation: string): void {
    this.duration.of(operation);
    this.errors.inc({ operation }, 0);
  }

  private note(operation: string, milliseconds: number, error: unknown): void {
    this.duration.of(operation).observe(milliseconds / 1000);
    if (error !== undefined && isFailure(error)) this.errors.inc({ operation });
  }
}

/** Other errors of the domain, such as a key in use, are results of calls that work. */
function isFailure(error: unknown): boolean {
  return !(error instanceof CatalogError) || error instanceof StorageUnavailable;
}
