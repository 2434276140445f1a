import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import knex, { type Knex } from 'knex';
import type { Client } from 'pg';

/** Where a Postgres database is, and how to speak to it. */
export interface PostgresConnection {
  /** A folder, beginning with a slash, is that of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Where undefined, the driver looks at `PGPASSWORD` and `~/.pgpass`. */
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: PostgresTls;
  /** Connections at most. */
  readonly poolMax: number;
}

/** `verify-ca` takes a certificate of a trusted authority for any host, `verify-full` for this host only. */
export type PostgresTls =
  | { readonly mode: 'disable' }
  | {
      readonly mode: 'verify-ca' | 'verify-full';
      /** Path of the trusted certificates (PEM); where undefined, those that Node.js trusts. */
      readonly rootCertificates: string | undefined;
    };

const CONNECT_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 30_000;
/** A count over a large catalog takes its time. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** For a server that says nothing any more, not even that. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 3_000;
const LOCK_TIMEOUT_MS = 5_000;
/** A client that stands still while it records holds up all others that record. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * Settings of each session, in one round trip and not as parameters of the connection, which poolers refuse. What was
 * acknowledged must survive a crash of the server, so its asynchronous commit is not for us; all other values keep that, and
 * are the operator's choice (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
 */
const SETTINGS = `
  set statement_timeout = ${STATEMENT_TIMEOUT_MS};
  set lock_timeout = ${LOCK_TIMEOUT_MS};
  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS};
  set default_transaction_isolation = 'read committed';
  set client_min_messages = warning;
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
`;

function ignore(): void {}

/** Opens a pool; connections are made when they are needed. Throws where the certificates cannot be read. */
export function openPostgresDatabase(connection: PostgresConnection): Knex {
  return connect(connection, { max: connection.poolMax, silenceTimeoutMs: SILENCE_TIMEOUT_MS });
}

/**
 * Opens a single connection that waits for the server as long as a migration needs. Its session is set as all others are: where
 * a pooler shares it, the service works on it afterwards.
 */
export function openPostgresMigrator(connection: PostgresConnection): Knex {
  return connect(connection, { max: 1, silenceTimeoutMs: undefined });
}

/** Names of files come in all scripts. Throws where the database cannot keep them. */
export async function requireUtf8(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ readonly rows: ReadonlyArray<{ readonly server_encoding: string }> }>(
    'show server_encoding',
  );
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
}

interface Session {
  readonly max: number;
  readonly silenceTimeoutMs: number | undefined;
}

function connect({ tls, password, host, port, user, database }: PostgresConnection, session: Session): Knex {
  return knex({
    client: 'pg',
    connection: {
      host,
      port,
      user,
      database,
      ...(password !== undefined && { password }),
      ssl: tlsOptions(tls),
      application_name: 'image-catalog',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...(session.silenceTimeoutMs !== undefined && { query_timeout: session.silenceTimeoutMs }),
    },
    // Knex prints to the console; what it has to say comes out as errors, too, which are logged.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 0,
      max: session.max,
      afterCreate: (client: Client, done: (error: Error | null, connection: Client) => void): void => {
        client.query(SETTINGS, (error) => {
          // The pool has not taken it yet, and would not close it.
          if (error !== null) client.end(ignore);
          done(error, client);
        });
      },
      // One whose statement was given up is still busy with it, for as long as nobody hears from the server.
      validate: (client: Client & { readonly readyForQuery?: boolean }): boolean =>
        client.readyForQuery === true,
    },
  });
}

function tlsOptions(tls: PostgresTls): ConnectionOptions | false {
  if (tls.mode === 'disable') return false;
  return {
    ...(tls.rootCertificates !== undefined && { ca: readFileSync(tls.rootCertificates, 'utf8') }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}
