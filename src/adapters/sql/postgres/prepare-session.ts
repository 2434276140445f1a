import type { Client, QueryResult } from 'pg';

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

/** In the round trip of the `begin` itself. */
const TRANSACTION = settingsOf('set local');

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
  shareSession(client);
}

const NOT_DURABLE =
  "synchronous_commit is off, and behind a pooler the service cannot set it: run ALTER ROLE … SET synchronous_commit = 'on'";

/** Another session may run the next transaction. */
function shareSession(client: ConnectedClient): void {
  client.processID = null;
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const shared = (statement: unknown, ...rest: readonly unknown[]): unknown =>
    query(isStatement(statement) ? forAnySession(statement) : statement, ...rest);
  client.query = shared as Client['query'];
}

interface Statement {
  readonly text: string;
  readonly name?: string | undefined;
}

function isStatement(statement: unknown): statement is Statement {
  return typeof statement === 'object' && statement !== null && 'text' in statement;
}

function forAnySession(statement: Statement): Statement {
  const unnamed = { ...statement, name: undefined };
  if (!/^begin\b/i.test(statement.text)) return unnamed;
  return { ...unnamed, text: `${statement.text.replace(/;?$/, ';')} ${TRANSACTION}` };
}

function settingsOf(set: 'set' | 'set local'): string {
  return Object.entries(LIMITS)
    .map(([name, value]) => `${set} ${name} = ${value};`)
    .join(' ');
}
