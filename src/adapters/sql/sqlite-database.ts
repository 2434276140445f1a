import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database } from 'sqlite3';

/** How long a statement waits for another process's lock, and a request for a free connection. */
const BUSY_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
/** Connections that read: a count over a large catalog takes its time. */
const READERS = 2;

/**
 * Pragmas hold per connection, so each new one gets them. `busy_timeout` comes first: switching to WAL takes a lock.
 * WAL lets readers and the writer go on side by side; FULL makes every commit survive a power cut, which is what an
 * upload is acknowledged for (NORMAL may lose the last commits: https://sqlite.org/pragma.html#pragma_synchronous).
 */
const PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 67108864;
`;

/** For connections that only read: they find the database as the writing one has set it up. */
const READER_PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA trusted_schema = OFF;
  PRAGMA query_only = ON;
`;

function ignore(): void {}

/**
 * Opens the SQLite file, which is made on first use together with its folder, to write and to read. One connection: with
 * more, writes of one process would only wait for each other in SQLite. Throws where the folder cannot be made.
 */
export function openSqliteDatabase(path: string): Knex {
  mkdirSync(dirname(path), { recursive: true });
  return connect(path, PRAGMAS, 1);
}

/**
 * Opens the SQLite file once more, to read beside a writer: on the writer's connection reads would wait as long as a write
 * waits for another process.
 */
export function openSqliteReader(path: string): Knex {
  return connect(path, READER_PRAGMAS, READERS);
}

function connect(filename: string, pragmas: string, max: number): Knex {
  return knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    // Knex prints to the console; what it has to say comes out as errors, too, which are logged.
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
