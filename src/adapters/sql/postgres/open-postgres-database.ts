import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import knex, { type Knex } from 'knex';
import { POSTGRES_DIALECT } from './postgres-dialect.ts';
import { type ConnectedClient, prepareSession, SILENCE_TIMEOUT_MS } from './prepare-session.ts';
import { SessionHealth } from './session-health.ts';

export interface PostgresConnection {
  /** A leading slash means the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** If undefined, the driver reads `PGPASSWORD` and `~/.pgpass`. */
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: PostgresTls;
  readonly poolMax: number;
}

/** `verify-ca` accepts a trusted certificate for any host, `verify-full` only for this host. */
export type PostgresTls =
  | { readonly mode: 'disable' }
  | {
      readonly mode: 'verify-ca' | 'verify-full';
      /** Path of a PEM file; if undefined, those that Node.js trusts. */
      readonly rootCertificates: string | undefined;
    };

const CONNECT_TIMEOUT_MS = 5_000;
const ACQUIRE_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 30_000;
function ignore(): void {}

/**
 * Throws if the certificates cannot be read.
 *
 * @param health shared by pools of one server
 */
export function openPostgresDatabase(connection: PostgresConnection, health = new SessionHealth()): Knex {
  return connect(connection, { max: connection.poolMax, silenceTimeoutMs: SILENCE_TIMEOUT_MS, health });
}

/** Its session gets the settings of all others, because a pooler may give it to the service later. */
export function openPostgresMigrator(connection: PostgresConnection): Knex {
  return connect(connection, { max: 1, silenceTimeoutMs: undefined, health: new SessionHealth() });
}

interface Session {
  readonly max: number;
  readonly silenceTimeoutMs: number | undefined;
  readonly health: SessionHealth;
}

function connect({ tls, password, host, port, user, database }: PostgresConnection, session: Session): Knex {
  const opened = knex({
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
    // Knex would print to the console. Its errors are thrown as well, and logged.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 0,
      max: session.max,
      afterCreate: prepareConnection(session.health),
      // A connection whose statement timed out here stays busy until the server responds.
      validate: (client: ConnectedClient & { readonly readyForQuery?: boolean }): boolean =>
        client.readyForQuery === true && session.health.isUsable(client),
    },
  });
  opened.userParams = { dialect: POSTGRES_DIALECT };
  return opened;
}

type Done = (error: Error | null, connection: ConnectedClient) => void;

function prepareConnection(health: SessionHealth): (client: ConnectedClient, done: Done) => void {
  return (client, done) => {
    health.watch(client);
    prepareSession(client).then(
      () => done(null, client),
      (error: Error) => {
        // The pool does not own the connection yet, and would not close it.
        client.end(ignore);
        done(error, client);
      },
    );
  };
}

function tlsOptions(tls: PostgresTls): ConnectionOptions | false {
  if (tls.mode === 'disable') return false;
  return {
    ...(tls.rootCertificates !== undefined && { ca: readFileSync(tls.rootCertificates, 'utf8') }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}
