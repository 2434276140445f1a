import { driverCodeOf } from '../database/sql-dialect.ts';
import type { PostgresConnection } from './open-postgres-database.ts';

export const ENCODE = 'percent-encode every character but letters, digits and -._~ (@ is %40, / is %2F)';

type Server = Pick<PostgresConnection, 'host' | 'port' | 'user' | 'database'>;

interface Explanation {
  /** The code of the driver or the server, or a text of the driver, which has no codes for its own errors. */
  readonly matches: RegExp;
  readonly words: (server: Server, text: string) => string;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    matches: /does not support SSL connections/,
    words: (server) =>
      `${placeOf(server)} offers no TLS: turn it on there or, if the network is private as in Compose, add ?sslmode=disable to the address`,
  },
  {
    matches: /client password must be/,
    words: (server) =>
      `${placeOf(server)} asks for a password, and the address has none: give postgres://user:password@host/database, or PGPASSWORD`,
  },
  {
    matches: /no pg_hba\.conf entry.*no encryption/,
    words: (server) => `${placeOf(server)} accepts connections with TLS only: remove sslmode=disable`,
  },
  {
    matches: /^28P01$/,
    words: (server) =>
      `${placeOf(server)} refuses the password of the user ${server.user}: correct both; in the password ${ENCODE}`,
  },
  {
    matches: /^28000$/,
    words: (server, text) => `${placeOf(server)} refuses the user ${server.user}: ${text}`,
  },
  {
    matches: /^3D000$/,
    words: (server) =>
      `${placeOf(server)} has no database ${server.database}: create it, or correct its name in the address`,
  },
  {
    matches: /^42501$/,
    words: ({ user }, text) =>
      `${text}: grant it to the user ${user}, such as with "grant create on schema public to …"`,
  },
  {
    matches: /^53300$/,
    words: (server) =>
      `${placeOf(server)} has no free connection: lower DATABASE_POOL_MAX, or raise max_connections of the server`,
  },
  {
    matches: /^57P03$/,
    words: (server) => `${placeOf(server)} is starting or stopping: try again in a moment`,
  },
  {
    matches: /^(?:ECONNREFUSED|ENOENT)$/,
    words: (server) =>
      `no server listens on ${placeOf(server)}: start it, or correct host and port. In a container localhost is the container itself`,
  },
  {
    matches: /^(?:ENOTFOUND|EAI_AGAIN)$/,
    words: ({ host }) =>
      `the name ${host} cannot be resolved: correct it, or check the name service. In user and password ${ENCODE}`,
  },
  {
    matches: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|timeout expired|due to connection timeout/,
    words: (server) => `${placeOf(server)} does not respond: check host, port, network and firewall`,
  },
  {
    matches: /^ECONNRESET$|Connection terminated unexpectedly/,
    words: (server) =>
      `${placeOf(server)} has ended the connection: check that it is a Postgres server, and its log`,
  },
];

/** For operators: what is wrong with the address or the server, and what to do. Other errors are returned as they are. */
export function explainPostgresError(error: unknown, server: Server): unknown {
  if (!(error instanceof Error)) return error;
  const code = driverCodeOf(error) ?? '';
  const found = EXPLANATIONS.find(({ matches }) => matches.test(code) || matches.test(error.message));
  if (found === undefined) return error;
  const words = found.words(server, withoutStatement(error.message));
  return new Error(code === '' ? words : `${words} (${code})`);
}

/** Knex puts the statement in front. */
function withoutStatement(message: string): string {
  return message.split(' - ').at(-1) ?? message;
}

function placeOf({ host, port }: Server): string {
  return host.startsWith('/') ? host : `${host}:${port}`;
}
