export interface Tracer {
  /**
   * Runs the work as a part of the request that called it. A rejection marks the span as failed and is passed on.
   *
   * @param name of a step, such as `read record`
   */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
}
