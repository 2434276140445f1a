import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Call, Command } from './command.ts';
import { UsageError } from './usage-error.ts';

/** By the names of the table. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Returns what is left to do: to run the command with these arguments. An action stands before its options.
 *
 * @throws {UsageError}
 */
export function parseCall(name: string, command: Command, args: readonly string[]): () => Promise<number> {
  const [first = ''] = args;
  const action = Object.hasOwn(command.actions, first) ? command.actions[first] : undefined;
  const call = action ?? command;
  const { options, texts } = split(call, action === undefined ? args : args.slice(1));
  const operands = Object.keys(call.operands);
  if (texts.length !== operands.length) throw new UsageError(callsOf(name, command));
  requireRules(call, options);
  const given = { ...Object.fromEntries(operands.map((operand, at) => [operand, texts[at]])), ...options };
  const values = valuesOf(action === undefined ? name : `${name} ${first}`, call, given);
  return () => call.run(values);
}

/** `dryRun` is `--dry-run`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws {UsageError} */
function split(
  { options }: Call,
  args: readonly string[],
): { readonly options: Values; readonly texts: readonly string[] } {
  const flags = Object.entries(options).map(([option, { value, canBeRepeated = false }]) => {
    const type = value === undefined ? 'boolean' : 'string';
    return [flagOf(option).slice(2), { type, multiple: canBeRepeated }] as const;
  });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(flags),
      allowPositionals: true,
    });
    const given = Object.keys(options).map((option) => [option, values[flagOf(option).slice(2)]] as const);
    return { options: Object.fromEntries(given), texts: positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
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
function requireRules({ options }: Call, given: Values): void {
  for (const [name, { excludes = [], needs = name }] of Object.entries(options)) {
    if (given[name] === undefined) continue;
    if (given[needs] === undefined) throw new UsageError(`${flagOf(name)} needs ${flagOf(needs)}`);
    const other = excludes.find((excluded) => given[excluded] !== undefined);
    if (other !== undefined) throw new UsageError(`${flagOf(name)} and ${flagOf(other)} exclude each other`);
  }
}

/** @throws {UsageError} */
function valuesOf(name: string, { operands, options }: Call, given: Values): Values {
  const types = Object.entries({ ...operands, ...options }).map(([key, { type }]) => [key, type] as const);
  const { data, error } = z.object(Object.fromEntries(types)).safeParse(given);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  const key = String(path[0]);
  if (given[key] === undefined) throw new UsageError(`${name} needs ${flagOf(key)}`);
  throw new UsageError(`${operands[key]?.value ?? flagOf(key)} ${message}`);
}
