import type { Client, QueryResult } from 'pg';
import { shareSession } from './share-session.ts';

/** A count over a large catalog may take this long. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** For a server that no longer responds. */
export const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 3_000;
const LOCK_TIMEOUT_MS = 5_000;
/** A stalled transaction that records blocks all others. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** `select oid from pg_type where typname = 'int8'`. The driver would return text. Ids, sizes and times are exact as numbers. */
const INT8 = 20;

/** For protection. Connection parameters would not work, because poolers refuse them. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/**
 * Asynchronous commit is off: acknowledged uploads must survive a server crash. All other values of `synchronous_commit` guarantee that
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
 */
const SESSION = `
  ${settingsOf('set')}
  set default_transaction_isolation = 'read committed';
  set client_min_messages = warning;
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
  select pg_backend_pid() as pid;
`;

/** The default in the sessions of this role. */
const DURABILITY = `select reset_val as durability from pg_settings where name = 'synchronous_commit'`;

export interface ConnectedClient extends Client {
  /** The process that serves the session, by the first message of the server. Null behind a pooler, which invents a number. */
  processID: number | null;
}

/**
 * Settings of a new connection. Behind a pooler that shares sessions, each transaction gets its own, and no statement is prepared by
 * name.
 *
 * Rejects if a pooler would lose the setting that makes commits durable.
 */
export async function prepareSession(client: ConnectedClient): Promise<void> {
  client.setTypeParser(INT8, Number);
  const results = (await client.query(SESSION)) as unknown as ReadonlyArray<QueryResult<{ pid: number }>>;
  if (results.at(-1)?.rows[0]?.pid === client.processID) return;
  const { rows } = await client.query<{ durability: string }>(DURABILITY);
  if (rows[0]?.durability === 'off') throw new Error(NOT_DURABLE);
  client.processID = null;
  shareSession(client, settingsOf('set local'));
}

const NOT_DURABLE =
  "synchronous_commit is off, and behind a pooler the service cannot set it: run ALTER ROLE … SET synchronous_commit = 'on'";

function settingsOf(set: 'set' | 'set local'): string {
  return Object.entries(LIMITS)
    .map(([name, value]) => `${set} ${name} = ${value};`)
    .join(' ');
}
