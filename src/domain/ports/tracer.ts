/** Steps of a request that a trace shows. */
export type SpanName =
  | 'authenticate'
  | 'fetch signing keys'
  | 'receive'
  | 'inspect'
  | 'store blob'
  | 'record'
  | 'read record'
  | 'open bytes'
  | 'make rendition';

export interface Tracer {
  /** Runs the work as a part of the request that called it. A rejection marks the span as failed and is passed on. */
  span<T>(name: SpanName, work: () => Promise<T>): Promise<T>;
}
