import type { Cancellation } from './cancellation.ts';

/** Work of one request in portions, each of which waits for its turn: work of other requests goes on between them. */
export interface Turns {
  /** Aborts when the client leaves, or when the time of the request is over. */
  readonly stopped: Cancellation;

  /**
   * @throws {Overloaded} if the turn does not come in time
   * @throws the reason of `stopped`
   */
  run<T>(portion: () => Promise<T>): Promise<T>;
}
