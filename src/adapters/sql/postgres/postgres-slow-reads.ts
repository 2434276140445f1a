import type { Knex } from 'knex';
import { Overloaded } from '../../../domain/errors.ts';
import type { TimeLimit } from '../../../domain/ports/records/image-search.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import { driverCodeOf } from '../database/sql-dialect.ts';
import { type RowReader, rowsOf } from '../database/sql-fragment.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const QUERY_CANCELED = '57014';

export class PostgresSlowReads implements SlowReads {
  /** @param knex no other reads or writes use its connections */
  constructor(private readonly knex: Knex) {}

  /** A statement ends at the time limit. If the client leaves earlier, the next one does not begin. */
  async run<T>({ withinMs, stopped }: TimeLimit, work: (reader: RowReader) => Promise<T>): Promise<T> {
    const end = performance.now() + withinMs;
    try {
      return await this.knex.transaction(
        (transaction) =>
          work({
            rows: async (statement) => {
              stopped.throwIfAborted();
              // Local, because a pooler may share the session.
              const leftMs = Math.max(1, Math.ceil(end - performance.now()));
              await transaction.raw(`set local statement_timeout = ${leftMs}`);
              return await rowsOf(transaction, statement);
            },
          }),
        { readOnly: true },
      );
    } catch (error) {
      const isStopped = stopped.aborted || (error instanceof Error && driverCodeOf(error) === QUERY_CANCELED);
      throw isStopped ? new Overloaded({ cause: error }) : error;
    }
  }
}
