import { readEnvFile } from './read-env-file.ts';
import { trimmed } from './trimmed.ts';
import type { Environment } from './variable-table.ts';

export const ENV_FILE = '.env';

/** Variables that the SDK of S3, the driver of Postgres and OpenTelemetry look up in the process. */
const OF_LIBRARIES = /^(?:AWS_|PG|OTEL_)/;

/**
 * Variables of the process take precedence over `.env`. Values have no white space and no control characters at their ends. The
 * process gets those that libraries look up there.
 *
 * @throws {InvalidConfig} if the file cannot be read as a whole
 */
export function readEnvironment(): Environment {
  const values = Object.entries({ ...readEnvFile(ENV_FILE), ...process.env }).map(
    ([name, value = '']) => [name, trimmed(value)] as const,
  );
  for (const [name, value] of values) {
    if (!OF_LIBRARIES.test(name)) continue;
    if (value === '') delete process.env[name];
    else process.env[name] = value;
  }
  return Object.fromEntries(values);
}
