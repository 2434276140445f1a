import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Variables of the process take precedence over `.env`. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...readEnvFile('.env'), ...process.env };
}

function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return { ...parseEnv(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
