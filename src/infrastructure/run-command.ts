import { explainSystemError, isSystemError } from '../adapters/filesystem/file-system-errors.ts';
import { DevelopmentCatalog } from '../adapters/sql/database/schema-of.ts';
import { CatalogTooNew, CursorExpired, StorageUnavailable } from '../domain/errors.ts';
import {
  EXIT_CANNOT_CREATE,
  EXIT_CONFIG,
  EXIT_DATA,
  EXIT_UNAVAILABLE,
  EXIT_USAGE,
} from './commands/command-line/exit-codes.ts';
import { usage, usageOf } from './commands/command-line/help.ts';
import { explainUnavailable } from './commands/command-line/unavailable.ts';
import { UsageError } from './commands/command-line/usage.ts';
import { COMMANDS } from './commands/command-table.ts';
import { InvalidConfig } from './config/invalid-config.ts';
import { UnusableDependency } from './start/unusable-dependency.ts';

/** Runs a command line to its end, and resolves to the exit code. */
export async function runCommand([name = 'serve', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help') return print(usage());
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    console.error(`There is no command ${name}; image-catalog --help lists them`);
    return EXIT_USAGE;
  }
  try {
    if (asksForHelp(args)) return print(usageOf(name, entry));
    return await (await entry.load())(args);
  } catch (error) {
    return exitCodeOf(error, usageOf(name, entry));
  }
}

/** Behind `--` there are no options. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--help');
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function exitCodeOf(error: unknown, help: string): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${help}`);
    return EXIT_USAGE;
  }
  if (
    error instanceof InvalidConfig ||
    error instanceof UnusableDependency ||
    error instanceof CatalogTooNew ||
    error instanceof DevelopmentCatalog
  ) {
    console.error(error.message);
    return EXIT_CONFIG;
  }
  if (error instanceof CursorExpired) {
    console.error(error.message);
    return EXIT_DATA;
  }
  if (error instanceof StorageUnavailable) {
    console.error(explainUnavailable(error));
    return EXIT_UNAVAILABLE;
  }
  // Files that a command reads, such as those of an import, are not reported by an error.
  if (isSystemError(error) && error.path !== undefined) {
    console.error(explainSystemError(error));
    return EXIT_CANNOT_CREATE;
  }
  throw error;
}
