import { CatalogError } from '../../client/src/catalog-error.ts';
import type { FailureKind } from '../../client/src/failure-kind.ts';
import { explainSystemError, isSystemError } from '../adapters/filesystem/translating-file-system-errors.ts';
import { oneLine } from '../adapters/service-client/one-line.ts';
import { DevelopmentCatalog } from '../adapters/sql/schema/development-catalog.ts';
import { CatalogTooNew, CursorExpired, StorageUnavailable } from '../domain/errors.ts';
import type { Command } from './commands/command-line/command.ts';
import { CommandRefused } from './commands/command-line/command-refused.ts';
import {
  EXIT_CANNOT_CREATE,
  EXIT_CONFIG,
  EXIT_DATA,
  EXIT_UNAVAILABLE,
  EXIT_USAGE,
} from './commands/command-line/exit-codes.ts';
import { explainUnavailable } from './commands/command-line/explain-unavailable.ts';
import { parseCall } from './commands/command-line/parse-call.ts';
import { usage, usageOf } from './commands/command-line/usage.ts';
import { UsageError } from './commands/command-line/usage-error.ts';
import { COMMANDS } from './commands/commands.ts';
import { explainCatalogError } from './commands/explain-catalog-error.ts';
import { InvalidConfig } from './config/invalid-config.ts';
import { UnusableDependency } from './start/unusable-dependency.ts';

/** Runs a command line to its end, and resolves to the exit code. */
export async function runCommand([name = 'serve', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help') return print(usage(await loadAll()));
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    console.error(`There is no command ${name}; image-catalog --help lists them`);
    return EXIT_USAGE;
  }
  const command = await load();
  if (asksForHelp(args)) return print(usageOf(name, command));
  try {
    return await parseCall(name, command, args)();
  } catch (error) {
    const text = error instanceof UsageError ? `${error.message}\n\n${usageOf(name, command)}` : undefined;
    const [exitCode, explanation] = explain(error);
    console.error(text ?? explanation);
    return exitCode;
  }
}

async function loadAll(): Promise<Record<string, Command>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
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

const NEEDS_CONFIG = [InvalidConfig, UnusableDependency, CatalogTooNew, DevelopmentCatalog];

/** Kinds of failures after which a call needs other options, or another token. */
const NEEDS_OTHER_CALL: ReadonlySet<FailureKind> = new Set(['unauthorized', 'forbidden', 'refused']);

/** Returns the exit code, and why in words. */
function explain(error: unknown): readonly [exitCode: number, explanation: string] {
  if (error instanceof UsageError) return [EXIT_USAGE, error.message];
  if (error instanceof CommandRefused) return [error.exitCode, error.message];
  if (error instanceof CursorExpired) return [EXIT_DATA, error.message];
  if (error instanceof Error && NEEDS_CONFIG.some((type) => error instanceof type)) {
    return [EXIT_CONFIG, error.message];
  }
  if (error instanceof StorageUnavailable) return [EXIT_UNAVAILABLE, explainUnavailable(error)];
  if (error instanceof CatalogError) {
    const exitCode = NEEDS_OTHER_CALL.has(error.kind) ? EXIT_USAGE : EXIT_UNAVAILABLE;
    return [exitCode, oneLine(explainCatalogError(error))];
  }
  // Files that a command reads, such as those of an import, are not reported by an error.
  if (isSystemError(error) && error.path !== undefined) {
    return [EXIT_CANNOT_CREATE, explainSystemError(error)];
  }
  throw error;
}
