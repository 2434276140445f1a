import type { Tracer } from '../../../domain/ports/process/tracer.ts';
import type { RequestsUnderWay } from './requests-under-way.ts';
import type { TraceParent } from './trace-parent.ts';

/** A request whose response has ended. */
export interface EndedRequest {
  readonly method: string;
  /** Template of the route, `none` for unknown paths. */
  readonly route: string;
  /** `client_left` if the response was not sent completely. */
  readonly status: string;
  readonly seconds: number;
}

export interface RequestObserver {
  /** Called at the start for each route. */
  routed(method: string, route: string): void;
  ended(request: EndedRequest): void;
}

/** Requests refused for their token, outcomes of uploads, kinds of refused files, and why uploads were ended. */
export type RequestCounter =
  | 'auth_failures_total'
  | 'uploads_total'
  | 'uploads_refused_kind_total'
  | 'uploads_timed_out_total';

/** For monitoring, in the format that `contentType` names. */
export interface HttpMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** @param value of the label */
  count(name: RequestCounter, value: string): void;
}

export interface RequestSpan {
  readonly traceId: string;
  end(facts: Pick<EndedRequest, 'route' | 'status'> & { readonly code?: string | undefined }): void;
}

export interface RequestTracer extends Tracer {
  /** Runs the work with the span of the request as the parent of all spans in it. The caller ends the span. */
  request<T>(
    request: { readonly method: string; readonly parent: TraceParent | undefined },
    work: (span: RequestSpan) => Promise<T>,
  ): Promise<T>;
}

/** Measures the work, and passes on its result. */
export type Watch = <T>(work: () => Promise<T>) => Promise<T>;

/** How the adapter shows what it does. */
export interface HttpTelemetry {
  readonly requests: RequestObserver;
  readonly underWay: RequestsUnderWay;
  readonly metrics: HttpMetrics;
  /** Around the arrival of an upload. */
  readonly watchReceive: Watch;
  /** `undefined` if no traces are recorded. */
  readonly tracer: RequestTracer | undefined;
}
