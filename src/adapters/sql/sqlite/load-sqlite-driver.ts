import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type sqlite3 from 'sqlite3';

const require = createRequire(import.meta.url);

/** The package sqlite3 cannot be loaded. The message is one sentence, with the command that mends it. */
export class SqliteDriverUnusable extends Error {
  constructor(
    readonly fault: string,
    /** A command for a shell, or what to do in words. */
    readonly remedy: string,
  ) {
    super(`${fault}: run ${remedy}`);
  }
}

/**
 * Loads the package when a SQLite database is first used, because commands and services that use none must run without its
 * binary: npm 12 does not run install scripts, and a binary may have been made for another machine.
 *
 * @throws {SqliteDriverUnusable}
 */
export function loadSqliteDriver(): typeof sqlite3 {
  try {
    return require('sqlite3') as typeof sqlite3;
  } catch (error) {
    throw explainFailure(error);
  }
}

function explainFailure(error: unknown): SqliteDriverUnusable {
  const { message } = error instanceof Error ? error : { message: String(error) };
  const folder = packageFolder();
  if (folder === undefined) {
    const fault = 'The package sqlite3, the driver of SQLite, is not installed';
    return new SqliteDriverUnusable(fault, 'the installation again');
  }
  // `bindings` looks for the binary in a dozen places, and lists them all.
  if (message.startsWith('Could not locate the bindings file')) {
    const fault = 'sqlite3, the driver of SQLite, has no binary, because npm did not run its install script';
    return new SqliteDriverUnusable(fault, npmRun(folder, 'install'));
  }
  const [reason] = message.split('\n');
  const fault = `The binary of sqlite3, the driver of SQLite, does not fit this machine (${reason})`;
  return new SqliteDriverUnusable(
    fault,
    `${npmRun(folder, 'rebuild')}, which needs Python 3, make and a C++ compiler`,
  );
}

function packageFolder(): string | undefined {
  try {
    return dirname(require.resolve('sqlite3/package.json'));
  } catch {
    return undefined;
  }
}

/**
 * Names the folder, so that the command works from any folder, for packages that npx or pnpm has installed, and with every npm:
 * a script that is named is run even where npm runs no install scripts.
 */
function npmRun(folder: string, script: 'install' | 'rebuild'): string {
  return `npm --prefix ${folder.includes(' ') ? `"${folder}"` : folder} run ${script}`;
}
