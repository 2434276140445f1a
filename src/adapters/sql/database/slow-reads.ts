import type { TimeLimit } from '../../../domain/ports/records/image-search.ts';
import type { RowReader } from './sql-fragment.ts';

/** Reads that may take seconds, on connections of their own: no other request waits for them. */
export interface SlowReads {
  /**
   * Ends statements that run when the time is over.
   *
   * @throws {Overloaded} if it is stopped
   */
  run<T>(limit: TimeLimit, work: (reader: RowReader) => Promise<T>): Promise<T>;
}
