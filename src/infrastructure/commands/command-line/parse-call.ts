import { parseArgs } from 'node:util';
import type { Call, Command } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Texts by the option; of a flag, `true` for each time. */
type Given = ReadonlyMap<string, readonly string[]>;

/**
 * Returns what is left to do: to run the command with these arguments.
 *
 * @throws {UsageError}
 */
export function parseCall(name: string, command: Command, args: readonly string[]): () => Promise<number> {
  const { given, words } = split(command, args);
  const [first = ''] = words;
  const isAction = Object.hasOwn(command.actions, first);
  const call = (isAction ? command.actions[first] : undefined) ?? command;
  const texts = isAction ? words.slice(1) : words;
  if (texts.length !== Object.keys(call.operands).length) throw new UsageError(callsOf(name, command));
  requireRules(isAction ? `${name} ${first}` : name, call, given);
  const operands = Object.entries(call.operands).map(([operand, { value, mustBe: rule, parse }], at) => [
    operand,
    parse(texts[at] ?? '') ?? mustBe(value, rule),
  ]);
  const options = Object.entries(call.options).map(([option, { parse }]) => [
    option,
    parse(given.get(option) ?? [], (rule) => mustBe(flagOf(option), rule)),
  ]);
  return () => call.run(Object.fromEntries([...operands, ...options]));
}

/** `dryRun` is `--dry-run`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws {UsageError} */
function split(
  { options, actions }: Command,
  args: readonly string[],
): { readonly given: Given; readonly words: readonly string[] } {
  const all = [options, ...Object.values(actions).map((call) => call.options)].flatMap(Object.entries);
  const names = new Map(all.map(([option, { value }]) => [flagOf(option).slice(2), { option, value }]));
  const known = [...names].map(([flag, { value }]) => {
    const type = value === undefined ? 'boolean' : 'string';
    return [flag, { type, multiple: true }] as const;
  });
  try {
    const { values, positionals } = parseArgs({
      args: joinNegativeNumbers(args),
      options: Object.fromEntries(known),
      allowPositionals: true,
    });
    const given = Object.entries(values).map(
      ([flag, texts]) => [names.get(flag)?.option ?? flag, [texts].flat().map(String)] as const,
    );
    return { given: new Map(given), words: positionals };
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

/** As the help shows them. */
export function operandsOf({ operands }: Call): string {
  return Object.values(operands)
    .map(({ value }) => value)
    .join(' ');
}

export function actionsOf({ actions }: Command): readonly string[] {
  return Object.entries(actions).map(([action, call]) => `${action} ${operandsOf(call)}`.trimEnd());
}

function callsOf(name: string, command: Command): string {
  const calls = [operandsOf(command), ...actionsOf(command)].map((call) => call || 'only options');
  return `${name} takes ${calls.join(', or ')}; names that begin with a hyphen stand behind --`;
}

/** @throws {UsageError} */
function requireRules(call: string, { options }: Call, given: Given): void {
  const foreign = [...given.keys()].find((name) => !Object.hasOwn(options, name));
  if (foreign !== undefined) throw new UsageError(`${call} does not take ${flagOf(foreign)}`);
  for (const [name, { excludes = [], needs = name, isRequired = false }] of Object.entries(options)) {
    if (isRequired && !given.has(name)) throw new UsageError(`${call} needs ${flagOf(name)}`);
    if (!given.has(name)) continue;
    if (!given.has(needs)) throw new UsageError(`${flagOf(name)} needs ${flagOf(needs)}`);
    const other = excludes.find((excluded) => given.has(excluded));
    if (other !== undefined) throw new UsageError(`${flagOf(name)} and ${flagOf(other)} exclude each other`);
  }
}

function mustBe(name: string, rule: string): never {
  throw new UsageError(`${name} must be ${rule}`);
}
