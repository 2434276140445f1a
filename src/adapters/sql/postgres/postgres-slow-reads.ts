import type { Knex } from 'knex';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import type { SqlFragment } from '../database/sql-fragment.ts';
import type { ConnectedClient } from './prepare-session.ts';

export class PostgresSlowReads implements SlowReads {
  /** @param others connections of another pool, which cancel what runs in this one */
  constructor(
    private readonly pool: Knex,
    private readonly others: Knex,
  ) {}

  async rows<Row>({ sql, bindings }: SqlFragment, stopped: Cancellation): Promise<readonly Row[]> {
    const client = (await this.pool.client.acquireConnection()) as ConnectedClient;
    let cancelling: Promise<unknown> | undefined;
    const cancel = (): void => {
      cancelling = this.cancel(client);
    };
    stopped.addEventListener('abort', cancel, { once: true });
    try {
      stopped.throwIfAborted();
      const { rows } = await this.pool
        .raw<{ readonly rows: readonly Row[] }>(sql, [...bindings])
        .connection(client);
      return rows;
    } catch (error) {
      throw stopped.aborted ? stopped.reason : error;
    } finally {
      stopped.removeEventListener('abort', cancel);
      // Otherwise it could end the next statement of the connection.
      await cancelling;
      await this.pool.client.releaseConnection(client);
    }
  }

  /** Behind a pooler a statement runs to its end, because its process is not known. */
  private async cancel({ processID }: ConnectedClient): Promise<void> {
    if (processID === null) return;
    try {
      await this.others.raw('select pg_cancel_backend(?)', [processID]);
    } catch {
      // The statement runs to its end.
    }
  }
}
