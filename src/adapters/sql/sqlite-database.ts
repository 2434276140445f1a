import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database } from 'sqlite3';

/** Timeouts of a statement that waits for the lock of another process, and of a request that waits for a connection. */
const BUSY_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
/** Connections that read: one may be busy with a count over a large catalog. */
const READERS = 2;

/**
 * Pragmas apply to one connection, so each new one gets them. `busy_timeout` comes first: switching to WAL takes a lock.
 * WAL lets readers and the writer run concurrently. FULL makes every commit survive a power cut, as the acknowledgement of an
 * upload guarantees (NORMAL may lose the last commits: https://sqlite.org/pragma.html#pragma_synchronous).
 */
const PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 67108864;
`;

/** For connections that only read. The writing connection has set up the database. */
const READER_PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA trusted_schema = OFF;
  PRAGMA query_only = ON;
`;

function ignore(): void {}

/**
 * Opens the SQLite file for writes and reads, and creates its folder. SQLite creates the file on first use. One connection:
 * several would only wait for each other in SQLite. Throws if the folder cannot be created.
 */
export function openSqliteDatabase(path: string): Knex {
  mkdirSync(dirname(path), { recursive: true });
  return connect(path, PRAGMAS, 1);
}

/**
 * Opens connections that only read. On the writer's connection, reads would wait while a write waits for another process.
 */
export function openSqliteReader(path: string): Knex {
  return connect(path, READER_PRAGMAS, READERS);
}

function connect(filename: string, pragmas: string, max: number): Knex {
  return knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    // Knex would print to the console. Its errors are thrown as well, and logged.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 0,
      max,
      afterCreate: (database: Database, done: (error: Error | null, connection: Database) => void): void => {
        database.exec(pragmas, (error) => done(error, database));
      },
    },
  });
}
