import { Counter, type Registry } from 'prom-client';
import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { readGauge } from './read-gauge.ts';

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** So that the first error after a start is a step from 0, which `rate` sees. */
const STATUSES_FROM_START = ['500', '503'];

const UPLOAD_OUTCOMES_FROM_START = [
  'created',
  'replayed',
  'client_left',
  'overloaded',
  'storage_unavailable',
];

const AUTH_FAILURES_FROM_START = [
  'missing',
  'malformed',
  'signature',
  'no_keys',
  'expired',
  'not_active',
  'audience',
  'issuer',
  'scope',
  'space',
];

interface RequestFacts {
  readonly method: string;
  /** Template, not the path: each value of a label occupies memory forever. */
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
}

export class RequestMetrics {
  private readonly duration: DurationHistogram;
  private readonly uploads: Counter<'outcome'>;
  private readonly authFailures: Counter<'reason'>;

  constructor(private readonly registry: Registry) {
    this.duration = new DurationHistogram({
      name: 'image_catalog_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registry,
    });
    this.uploads = new Counter({
      name: 'image_catalog_uploads_total',
      help: 'Uploads that passed the checks of token and scope, by outcome: created, replayed, or the code of the error',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.authFailures = new Counter({
      name: 'image_catalog_auth_failures_total',
      help: 'Requests refused for their token, by reason',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const outcome of UPLOAD_OUTCOMES_FROM_START) this.uploads.inc({ outcome }, 0);
    for (const reason of AUTH_FAILURES_FROM_START) this.authFailures.inc({ reason }, 0);
  }

  observe(inFlight: () => number): void {
    readGauge({
      name: 'image_catalog_http_requests_in_flight',
      help: 'Requests whose response has not ended',
      registry: this.registry,
      read: inFlight,
    });
  }

  routed(method: string, route: string): void {
    for (const status of STATUSES_FROM_START) this.duration.of(method, route, status);
  }

  ended({ method, route, status, seconds }: RequestFacts): void {
    this.duration.of(METHODS.has(method) ? method : 'other', route, status).observe(seconds);
  }

  refused(reason: string): void {
    this.authFailures.inc({ reason });
  }

  uploaded(outcome: string): void {
    this.uploads.inc({ outcome });
  }
}

const STAGES = ['receive', 'inspect', 'store', 'record'] as const;

type UploadStage = (typeof STAGES)[number];

/** The parts of an upload. A stage that fails counts as well. */
export class UploadStages {
  private readonly duration: DurationHistogram;

  constructor(registry: Registry) {
    this.duration = new DurationHistogram({
      name: 'image_catalog_upload_stage_duration_seconds',
      help: 'Duration of the stages of uploads, failed ones included; inspect includes the wait for the decode queue',
      labelNames: ['stage'],
      buckets: REQUEST_BUCKETS,
      registry,
    });
    for (const stage of STAGES) this.duration.of(stage);
  }

  async time<T>(stage: UploadStage, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.duration.of(stage).observe((performance.now() - start) / 1000);
    }
  }
}

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
