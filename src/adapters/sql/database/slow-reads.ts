import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { Turns } from '../../../domain/ports/process/turns.ts';
import type { RowReader, SqlFragment } from './sql-fragment.ts';

/** Reads that may take long, on connections of their own: no other request waits for them. */
export interface SlowReads {
  /** @throws the reason of `stopped` */
  rows<Row>(statement: SqlFragment, stopped: Cancellation): Promise<readonly Row[]>;
}

/** Each statement is a portion. */
export function readInTurns(reads: SlowReads, turns: Turns): RowReader {
  return { rows: (statement) => turns.run(() => reads.rows(statement, turns.stopped)) };
}
