import { LRUCache } from 'lru-cache';
import type { Database, RunResult, Statement } from 'sqlite3';

/*
 * Replaces `all`, `run` and `close` of a database of sqlite3 (6.0), which Knex calls with the text of each statement. The driver prepares
 * and finalizes it at each call. Unnecessary when Knex or the driver keeps prepared statements.
 */

const MAX_STATEMENTS = 100;

/** Characters: a longer text has a parameter for each of many values, and hardly comes again. */
const MAX_TEXT_LENGTH = 4_000;

type Method = 'all' | 'run';

type Done = (this: RunResult, error: Error | null, rows?: unknown[]) => void;

type Call = readonly [text: string, bindings: unknown, done: Done];

/**
 * Has a connection prepare each text once: that costs as much as most statements, and a round trip to the thread pool of its own. SQLite
 * itself prepares a statement again if the tables have changed.
 */
export function keepPrepared(database: Database): void {
  const statements = new KeptStatements(database);
  const close = database.close.bind(database);
  Object.assign(database, {
    all: (...call: Call) => statements.execute('all', ...acceptRolledBack(call)),
    run: (...call: Call) => statements.execute('run', ...acceptRolledBack(call)),
    // SQLite closes no connection that has statements.
    close: (done: (error: Error | null) => void) => {
      statements.finalizeAll();
      close(done);
    },
  });
}

/**
 * After some failures, such as a full disk, SQLite has rolled the transaction back by itself, and refuses the ROLLBACK that Knex sends
 * (https://sqlite.org/lang_transaction.html). Knex would then report this refusal in place of the failure.
 */
function acceptRolledBack(call: Call): Call {
  const [text, bindings, done] = call;
  if (!/^rollback;?$/i.test(text)) return call;
  return [
    text,
    bindings,
    function (this: RunResult, error: Error | null, rows?: unknown[]) {
      const isOver = error !== null && error.message.includes('no transaction is active');
      done.call(this, isOver ? null : error, isOver ? [] : rows);
    },
  ];
}

class KeptStatements {
  private isOpen = true;
  /** The driver finalizes a statement behind all calls of it that wait. */
  private readonly kept = new LRUCache<string, Statement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => void statement.finalize(),
  });

  constructor(private readonly database: Database) {}

  execute(method: Method, ...[text, bindings, done]: Call): void {
    const { kept } = this;
    const known = kept.get(text);
    if (known === undefined) return this.executeNew(method, text, bindings, done);
    known[method](bindings, function (this: RunResult, error: Error | null, rows?: unknown[]) {
      // One that has failed may hold a lock until it is finalized.
      if (error !== null && kept.peek(text) === known) kept.delete(text);
      done.call(this, error, rows);
    });
  }

  /** Those under way are not kept either. */
  finalizeAll(): void {
    this.isOpen = false;
    this.kept.clear();
  }

  private executeNew(method: Method, ...[text, bindings, done]: Call): void {
    const statement = this.database.prepare(text).once('error', done);
    const keepOrFinalize = (error: Error | null): void => {
      statement.off('error', done);
      const isKept = error === null && this.isOpen && text.length <= MAX_TEXT_LENGTH && !this.kept.has(text);
      if (isKept) this.kept.set(text, statement);
      else statement.finalize();
    };
    statement[method](bindings, function (this: RunResult, error: Error | null, rows?: unknown[]) {
      keepOrFinalize(error);
      done.call(this, error, rows);
    });
  }
}
