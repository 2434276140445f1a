import { PROXY_VARIABLES, proxyUrl } from './proxy-variable.ts';
import { readEnvFile } from './read-env-file.ts';
import { trimmed } from './trimmed.ts';
import { EXTRA_CERTIFICATES, trustCertificates } from './trust-certificates.ts';
import type { Environment } from './variable-table.ts';

export const ENV_FILE = '.env';

/** Variables that the SDK of S3, the driver of Postgres, OpenTelemetry and the agents of Node.js look up in the process. */
const OF_LIBRARIES = /^(?:AWS_|PG|OTEL_|(?:HTTPS|https|NO|no)_(?:PROXY|proxy)$)/;

/** Variables that Node.js reads when it starts, or looks up in the process. */
const OF_NODE = ['NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA'];

/**
 * Variables of the process take precedence over `.env`. Values have no white space and no control characters at their ends. The
 * process gets those that libraries look up there, and trusts the certificates of NODE_EXTRA_CA_CERTS.
 *
 * @throws {InvalidConfig} if the file cannot be read as a whole, or these certificates or the proxy cannot be used
 */
export function readEnvironment(): Environment {
  const file = readEnvFile(ENV_FILE);
  const certificates = trimmed(file[EXTRA_CERTIFICATES] ?? '');
  if (certificates !== '' && !process.env[EXTRA_CERTIFICATES]) trustCertificates(certificates);
  const values = Object.entries({ ...file, ...process.env }).map(
    ([name, value = '']) => [name, trimmed(value)] as const,
  );
  for (const [name, value] of values) {
    if (!OF_LIBRARIES.test(name)) continue;
    if (value === '') delete process.env[name];
    else process.env[name] = isProxy(name) ? proxyUrl(name, value) : value;
  }
  return Object.fromEntries(values);
}

function isProxy(name: string): boolean {
  return PROXY_VARIABLES.some((each) => each === name);
}

/**
 * The variables of Node.js that are in `.env` alone, where they have no effect.
 *
 * @throws {InvalidConfig} if the file cannot be read as a whole
 */
export function namesReadTooLate(): readonly string[] {
  const file = readEnvFile(ENV_FILE);
  return OF_NODE.filter((name) => file[name] !== undefined && process.env[name] === undefined);
}
