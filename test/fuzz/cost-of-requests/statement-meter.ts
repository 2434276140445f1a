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

/** Counts the statements of this process, from its creation to its end. */
export class StatementMeter {
  #figures = { statements: 0, boundValues: 0, rows: 0 };

  constructor() {
    const prototype = sqlite3.Statement.prototype as unknown as Record<string, Method>;
    for (const name of METHODS) prototype[name] = this.#counted(prototype[name] as Method);
  }

  reset(): void {
    this.#figures = { statements: 0, boundValues: 0, rows: 0 };
  }

  get figures(): StatementFigures {
    return this.#figures;
  }

  #counted(method: Method): Method {
    const meter = this;
    return function (this: unknown, ...args: readonly unknown[]): unknown {
      const values = args.flat().filter((value) => typeof value !== 'function').length;
      meter.#figures.statements += 1;
      meter.#figures.boundValues = Math.max(meter.#figures.boundValues, values);
      const counted = args.map((arg) =>
        typeof arg === 'function' ? meter.#countingRows(arg as Callback) : arg,
      );
      return method.apply(this, counted);
    };
  }

  #countingRows(callback: Callback): Callback {
    const meter = this;
    return function (this: unknown, error, rows): unknown {
      if (Array.isArray(rows)) meter.#figures.rows += rows.length;
      return callback.call(this, error, rows);
    };
  }
}
