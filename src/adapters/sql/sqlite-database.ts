import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database } from 'sqlite3';

/** How long a statement waits for another process's lock, and a request for a free connection. */
const BUSY_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;

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

function ignore(): void {}

/** Opens the SQLite file, which is made on first use together with its folder. Throws where the folder cannot be made. */
export function openSqliteDatabase(path: string): Knex {
  mkdirSync(dirname(path), { recursive: true });
  return knex({
    client: 'sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
    // Knex prints to the console; what it has to say comes out as errors, too, which are logged.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 0,
      max: 1,
      afterCreate: (
        connection: Database,
        done: (error: Error | null, connection: Database) => void,
      ): void => {
        connection.exec(PRAGMAS, (error) => done(error, connection));
      },
    },
  });
}
