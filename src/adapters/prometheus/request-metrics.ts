import { Counter, type Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import { readGauge } from './read-gauge.ts';

export const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
];

export interface RequestFacts {
  readonly method: string;
  /** Template, not the path: each value of a label occupies memory forever. */
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
}

export class RequestMetrics {
  private inFlight = 0;
  private readonly duration: DurationHistogram;
  private readonly uploads: Counter<'outcome'>;
  private readonly authFailures: Counter<'reason'>;

  constructor(registry: Registry) {
    readGauge({
      name: 'image_catalog_http_requests_in_flight',
      help: 'Requests whose response has not ended',
      registry,
      read: () => this.inFlight,
    });
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

  routed(method: string, route: string): void {
    for (const status of STATUSES_FROM_START) this.duration.of(method, route, status);
  }

  began(): void {
    this.inFlight += 1;
  }

  ended({ method, route, status, seconds }: RequestFacts): void {
    this.inFlight -= 1;
    this.duration.of(METHODS.has(method) ? method : 'other', route, status).observe(seconds);
  }

  refused(reason: string): void {
    this.authFailures.inc({ reason });
  }

  uploaded(outcome: string): void {
    this.uploads.inc({ outcome });
  }
}
