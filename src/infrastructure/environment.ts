import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The variables of the process, which take precedence over those of `.env` in the working directory. */
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
