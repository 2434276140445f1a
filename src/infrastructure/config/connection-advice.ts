import { EXTRA_CERTIFICATES } from './trust-certificates.ts';

/** As OpenSSL words them; the drivers pass them on. */
const UNKNOWN_AUTHORITY =
  /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/i;
const OTHER_TIME = /certificate (?:has expired|is not yet valid)/i;
const OTHER_HOST = /altnames/i;
const NO_WAY = /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout|within \d+ s/;

/**
 * What to do about a connection over TLS that failed.
 *
 * @param failure the message of the error
 * @param way how to name the certificates of an authority
 * @returns `undefined` if the reason is another
 */
export function certificateAdvice(failure: string, way = namingCertificates()): string | undefined {
  if (UNKNOWN_AUTHORITY.test(failure)) return way;
  if (OTHER_TIME.test(failure)) return 'renew the certificate of the server, and check the clock here';
  if (OTHER_HOST.test(failure)) return 'use the host name that is in the certificate of the server';
  return undefined;
}

/** The service sends its requests through agents that know the proxy. */
const PROXY_OF_AGENTS = 'HTTPS_PROXY (Node.js 22.21, 24.5 or later)';

/** Commands with `--url` use `fetch`, which needs both variables when the process starts. */
export const PROXY_OF_FETCH =
  'HTTPS_PROXY and NODE_USE_ENV_PROXY=1 in the environment of the process (Node.js 22.21, 24.5 or later)';

/** The same for requests over HTTP, which may need a proxy. */
export function connectionAdvice(failure: string, proxy = PROXY_OF_AGENTS): string | undefined {
  if (!NO_WAY.test(failure)) return certificateAdvice(failure);
  return `check the host name, the name service, the network and its firewall; if requests must pass a proxy, set ${proxy}`;
}

/** For `DATABASE_URL`: the driver of Postgres takes certificates from the URL. */
export const SSLROOTCERT =
  'DATABASE_URL=…?sslrootcert=/path/to/ca.pem, the certificates of the authority of the server. psql accepts the URL without it, because it checks no certificate then';

function namingCertificates(): string {
  return `${EXTRA_CERTIFICATES}=/path/to/ca.pem, the certificates of your authority and of what is between, in the environment of the process (docs/troubleshooting.md)`;
}
