import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Resolves to the exit code. */
export type Command = (args: readonly string[]) => Promise<number>;

/** The command line is not one that the command understands. */
export class UsageError extends Error {}

/** @throws {UsageError} */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
