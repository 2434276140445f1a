import { Client } from 'pg';
import sqlite3 from 'sqlite3';

/** What a statement of the service binds at most. SQLite takes 32,766 values, and Postgres 65,535. */
export const MAX_BOUND_VALUES = 10_000;

type Callback = (error: Error) => void;
type Method = (...args: unknown[]) => unknown;

/** All statements of SQLite pass these methods, those of Knex and of prepared reads. */
const SQLITE_METHODS = ['bind', 'run', 'get', 'all', 'each'] as const;

/** Importing this module has each statement of this process counted: one that binds more values fails. */
function boundStatements(): void {
  const statements = sqlite3.Statement.prototype as unknown as Record<string, Method>;
  for (const name of SQLITE_METHODS) bound(statements, name, (args) => args.flat().filter(isValue).length);
  const clients = Client.prototype as unknown as Record<string, Method>;
  bound(clients, 'query', ([config, values]) => lengthOf(valuesOf(config) ?? values));
}

function bound(
  owner: Record<string, Method>,
  name: string,
  count: (args: readonly unknown[]) => number,
): void {
  const method = owner[name] as Method;
  owner[name] = function (this: unknown, ...args: unknown[]): unknown {
    const values = count(args);
    if (values <= MAX_BOUND_VALUES) return method.apply(this, args);
    const error = new Error(`A statement binds ${values} values`);
    const callback = args.findLast((one): one is Callback => typeof one === 'function');
    if (callback === undefined) throw error;
    process.nextTick(() => callback(error));
    return this;
  };
}

function valuesOf(config: unknown): unknown {
  return typeof config === 'object' && config !== null && 'values' in config ? config.values : undefined;
}

/** A callback may follow the values. */
function isValue(value: unknown): boolean {
  return typeof value !== 'function';
}

function lengthOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0;
}

boundStatements();
