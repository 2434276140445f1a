import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Resolves to the exit code. */
export type Command = (args: readonly string[]) => Promise<number>;

export class UsageError extends Error {}

/** @throws {UsageError} */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: joinNegativeNumbers(config.args ?? []) });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Else `parseArgs` takes the number of `--jobs -5` for an option, and explains that in three lines. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const isValue = /^-\d/.test(arg) && /^--\w[^=]*$/.test(before) && !joined.includes('--');
    if (isValue) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** In words, for people; scripts get the exit code. */
export function closingLine(text: string): void {
  if (process.stderr.isTTY) console.error(text);
}

/** The same, and without a terminal a line as in the log of the service, for commands that print no report. */
export function closingReport(text: string, msg: string, facts: object): void {
  if (process.stderr.isTTY) closingLine(text);
  else console.error(JSON.stringify({ level: 30, time: Date.now(), ...facts, msg }));
}

/** "1 image", "1,234 images" */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
