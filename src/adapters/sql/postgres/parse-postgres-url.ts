import * as z from 'zod';
import { ENCODE } from './explain-postgres-error.ts';
import type { PostgresConnection, PostgresTls } from './open-postgres-database.ts';

const SHAPE = `must be postgres://user:password@host:5432/database; in user and password ${ENCODE}`;
const ONE_HOST = 'names several hosts: name the primary alone, or a proxy that finds it';
/** After the last @ of the authority. */
const SEVERAL_HOSTS = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)/;
const DEFAULT_PORT = 5432;

const tlsParameters = z
  .strictObject(
    {
      sslmode: z
        .enum(['disable', 'require', 'verify-ca', 'verify-full'], {
          error:
            'has an sslmode that is none of verify-full (the default), verify-ca, require and disable (no TLS)',
        })
        .optional(),
      sslrootcert: z.string().min(1, 'has an empty sslrootcert').optional(),
    },
    {
      error: (issue) => (issue.code === 'unrecognized_keys' ? unknownParameters(issue.keys) : undefined),
    },
  )
  .refine(({ sslmode, sslrootcert }) => sslmode !== 'disable' || sslrootcert === undefined, {
    message: 'has an sslrootcert, which sslmode=disable does not use',
  });

/** Hosted databases and other drivers add parameters to their addresses. Only names that cannot hold a secret are repeated. */
function unknownParameters(names: readonly string[]): string {
  const shown = names.filter((name) => /^\w{1,30}$/.test(name)).slice(0, 5);
  const removed = shown.length === 0 ? 'the others' : shown.join(' and ');
  return `takes the parameters sslmode and sslrootcert alone: remove ${removed}`;
}

/**
 * Parses `postgres://user:password@host:port/database?sslmode=…&sslrootcert=…`. Adds issues to `check` if invalid. The messages
 * never repeat the URL, which may hold a password.
 *
 * Stricter than libpq: no mode encrypts without authenticating the server or falls back to no encryption. The default is
 * `verify-full`, and `disable` for Unix sockets and loopback hosts. `require` means `verify-full`, as in the driver.
 */
export function parsePostgresUrl(
  text: string,
  check: z.RefinementCtx,
): Omit<PostgresConnection, 'poolMax'> | undefined {
  const server = serverOf(text);
  if (server === undefined) {
    check.addIssue({ code: 'custom', message: SEVERAL_HOSTS.test(text) ? ONE_HOST : SHAPE });
    return undefined;
  }
  const parameters = tlsParameters.safeParse(Object.fromEntries(new URL(text).searchParams));
  if (!parameters.success) {
    for (const { message } of parameters.error.issues) check.addIssue({ code: 'custom', message });
    return undefined;
  }
  return { ...server, tls: tlsOf(server.host, parameters.data) };
}

function serverOf(text: string): Omit<PostgresConnection, 'poolMax' | 'tls'> | undefined {
  if (!URL.canParse(text) || SEVERAL_HOSTS.test(text)) return undefined;
  const { hostname, port, username, password, pathname, hash } = new URL(text);
  const [host, user, secret, database] = [hostname, username, password, pathname.slice(1)].map(decode);
  if (!host || !user || !database || secret === undefined || database.includes('/') || hash !== '') {
    return undefined;
  }
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT : Number(port),
    user,
    password: secret === '' ? undefined : secret,
    database,
  };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function tlsOf(host: string, { sslmode, sslrootcert }: z.output<typeof tlsParameters>): PostgresTls {
  const mode = sslmode ?? (sslrootcert === undefined && isLocal(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') return { mode };
  return { mode: mode === 'require' ? 'verify-full' : mode, rootCertificates: sslrootcert };
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
