import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { SqlFragment } from './sql-fragment.ts';

/** Reads that may take long, on connections of their own: no other request waits for them. */
export interface SlowReads {
  /** @throws the reason of `stopped` */
  rows<Row>(statement: SqlFragment, stopped: Cancellation): Promise<readonly Row[]>;
}
