import sqlite3 from 'sqlite3';

export interface StatementFigures {
  readonly statements: number;
  /** Of the statement that binds the most. */
  readonly boundValues: number;
  /** That SQLite has returned. What it has looked at for them costs CPU. */
  readonly rows: number;
}

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;
type Callback = (this: unknown, error: unknown, rows: unknown) => unknown;

/** All statements pass these methods, those of Knex and of prepared reads. */
const METHODS = ['run', 'get', 'all', 'each'] as const;

/** Counts the statements of this process since the last reset. */
export class StatementMeter {
  #figures = { statements: 0, boundValues: 0, rows: 0 };

  /** To be called once. */
  install(): void {
    const prototype = sqlite3.Statement.prototype as unknown as Record<string, Method>;
    const statement = (values: number): void => this.#addStatement(values);
    const rows = (count: number): void => {
      this.#figures.rows += count;
    };
    for (const name of METHODS) prototype[name] = counted(prototype[name] as Method, statement, rows);
  }

  reset(): void {
    this.#figures = { statements: 0, boundValues: 0, rows: 0 };
  }

  get figures(): StatementFigures {
    return this.#figures;
  }

  #addStatement(values: number): void {
    this.#figures.statements += 1;
    this.#figures.boundValues = Math.max(this.#figures.boundValues, values);
  }
}

function counted(
  method: Method,
  addStatement: (values: number) => void,
  addRows: (count: number) => void,
): Method {
  return function (...args) {
    addStatement(args.flat().filter((value) => typeof value !== 'function').length);
    const watched = args.map((arg) =>
      typeof arg === 'function' ? countingRows(arg as Callback, addRows) : arg,
    );
    return method.apply(this, watched);
  };
}

function countingRows(callback: Callback, addRows: (count: number) => void): Callback {
  return function (error, rows) {
    if (Array.isArray(rows)) addRows(rows.length);
    return callback.call(this, error, rows);
  };
}
