import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database } from 'sqlite3';
import { keepPrepared } from './keep-prepared.ts';
import { closeToOthers, keepPrivate } from './keep-private.ts';
import { loadSqliteDriver } from './load-sqlite-driver.ts';
import { SQLITE_DIALECT } from './sqlite-dialect.ts';

/** Also bounds the wait for a connection. */
const BUSY_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
/** One may be busy with a count. */
const READERS = 2;

/**
 * `busy_timeout` comes first: switching to WAL takes a lock. FULL makes every commit survive a power cut; NORMAL may lose the
 * last ones (https://sqlite.org/pragma.html#pragma_synchronous). By default SQLite writes what it needs to undo a statement of many pages,
 * such as a delete, to a temporary file: without a folder for it the statement would fail.
 */
const PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA temp_store = MEMORY;
`;

/** The writing connection has set up the database. */
const READER_PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA trusted_schema = OFF;
  PRAGMA query_only = ON;
`;

const IN_MEMORY = ':memory:';

function ignore(): void {}

/**
 * SQLite creates the file on first use. One connection: several would only wait for each other.
 *
 * @throws {SqliteDriverUnusable}
 */
export function openSqliteDatabase(path: string): Knex {
  loadSqliteDriver();
  mkdirSync(dirname(path), { recursive: true });
  return connect(path, PRAGMAS, 1);
}

/** On the writer's connection, reads would wait while a write waits for another process. */
export function openSqliteReader(path: string): Knex {
  return connect(path, READER_PRAGMAS, READERS);
}

/** One connection without a pool, for statements that Knex does not build. The file must exist. */
export async function openForReading(path: string): Promise<Database> {
  const sqlite3 = loadSqliteDriver();
  return await new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error !== null) return reject(error);
      database.configure('busyTimeout', BUSY_TIMEOUT_MS);
      keepPrepared(database);
      resolve(database);
    });
  });
}

/** SQLite gives its log and index the mode of the database, which has the key of links. */
function keepFilesPrivate(filename: string): void {
  if (filename === IN_MEMORY) return;
  keepPrivate(filename);
  for (const end of ['-wal', '-shm']) closeToOthers(`${filename}${end}`);
}

function connect(filename: string, pragmas: string, max: number): Knex {
  // Knex loads the package too, and would print advice that fits no installation of the service.
  loadSqliteDriver();
  const opened = knex({
    client: 'sqlite3',
    // Called before the first connection.
    connection: () => {
      keepFilesPrivate(filename);
      return { filename };
    },
    useNullAsDefault: true,
    // Knex would print to the console. Its errors are thrown as well, and logged.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 0,
      max,
      afterCreate: (database: Database, done: (error: Error | null, connection: Database) => void): void => {
        keepPrepared(database);
        database.exec(pragmas, (error) => {
          if (error === null) return done(null, database);
          // Knex forgets a connection that it could not prepare, without closing it.
          database.close(() => done(error, database));
        });
      },
    },
  });
  opened.userParams = { dialect: SQLITE_DIALECT };
  return opened;
}
