import type { ServiceMetrics } from './service-metrics.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** So that the first error after a start is a step from 0, which `rate` sees. */
const STATUSES_FROM_START = ['500', '503'];

interface RequestFacts {
  readonly method: string;
  /** Template, not the path: each value of a label occupies memory forever. */
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
}

export class RequestMetrics {
  private readonly duration;

  constructor(metrics: ServiceMetrics) {
    this.duration = metrics.durations('http_request_duration_seconds');
  }

  routed(method: string, route: string): void {
    for (const status of STATUSES_FROM_START) this.duration.of(method, route, status);
  }

  ended({ method, route, status, seconds }: RequestFacts): void {
    this.duration.of(METHODS.has(method) ? method : 'other', route, status).observe(seconds);
  }
}
