import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Resolves to the exit code. */
export type Command = (args: readonly string[]) => Promise<number>;

export class UsageError extends Error {}

/** @throws {UsageError} */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** In words, for people; scripts get the exit code. */
export function closingLine(text: string): void {
  if (process.stderr.isTTY) console.error(text);
}

/** "1 image", "1,234 images" */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
