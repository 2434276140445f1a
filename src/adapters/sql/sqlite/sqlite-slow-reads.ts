import type sqlite3 from 'sqlite3';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import type { SqlFragment } from '../database/sql-fragment.ts';
import { allRows } from './all-rows.ts';
import { openForReading } from './open-sqlite-database.ts';

/** An interrupt that comes before its statement has begun has no effect. */
const INTERRUPT_AGAIN_MS = 20;

/** One connection for each of its callers, of which there are few. */
export class SqliteSlowReads implements SlowReads {
  private readonly idle: sqlite3.Database[] = [];

  constructor(private readonly path: string) {}

  async rows<Row>(statement: SqlFragment, stopped: Cancellation): Promise<readonly Row[]> {
    const database = this.idle.pop() ?? (await openForReading(this.path));
    try {
      return await interruptibleRows(database, statement, stopped);
    } catch (error) {
      throw stopped.aborted ? stopped.reason : error;
    } finally {
      this.idle.push(database);
    }
  }

  async close(): Promise<void> {
    const closing = this.idle.splice(0);
    await Promise.all(
      closing.map((database) => new Promise<void>((resolve) => database.close(() => resolve()))),
    );
  }
}

async function interruptibleRows<Row>(
  database: sqlite3.Database,
  statement: SqlFragment,
  stopped: Cancellation,
): Promise<readonly Row[]> {
  stopped.throwIfAborted();
  let repetition: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    database.interrupt();
    repetition = setInterval(() => database.interrupt(), INTERRUPT_AGAIN_MS);
  };
  stopped.addEventListener('abort', interrupt, { once: true });
  try {
    return await allRows(database, statement);
  } finally {
    stopped.removeEventListener('abort', interrupt);
    clearInterval(repetition);
  }
}
