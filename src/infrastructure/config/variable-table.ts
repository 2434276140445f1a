import type * as z from 'zod';
import { InvalidConfig } from './invalid-config.ts';
import { trimmed } from './trimmed.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of the environment. Its type checks the text, and has the default. */
class Variable<T> {
  constructor(
    readonly name: string,
    readonly type: z.ZodType<T>,
  ) {}
}

/** Variables by the names of the settings that they become. */
export interface VariableTable {
  readonly [setting: string]: Variable<unknown> | VariableTable;
}

export type SettingsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Variable<infer T> ? T : SettingsOf<Table[Name]>;
};

export function variable<T>(name: string, type: z.ZodType<T>): Variable<T> {
  return new Variable(name, type);
}

/** An empty variable counts as not set, except these: an empty one means none. */
const MEANS_NONE_IF_EMPTY: readonly string[] = ['PRERENDER', 'INPUT_FORMATS'];

/** @throws {InvalidConfig} with the problems of all variables */
export function readSettings<Table extends VariableTable>(
  table: Table,
  environment: Environment,
): SettingsOf<Table> {
  const problems: string[] = [];
  const read = (part: VariableTable): object =>
    mapValues(part, (entry) => {
      if (!(entry instanceof Variable)) return read(entry);
      const text = valueOf(environment, entry.name);
      const { data, error } = entry.type.safeParse(text);
      for (const { message, code } of error?.issues ?? []) {
        problems.push(
          `${entry.name} ${text === undefined && code === 'invalid_type' ? 'is required' : message}`,
        );
      }
      return data;
    });
  const settings = read(table);
  if (problems.length > 0) throw new InvalidConfig(problems);
  return settings as SettingsOf<Table>;
}

function valueOf(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const value = trimmed(text);
  return value === '' && !MEANS_NONE_IF_EMPTY.includes(name) ? undefined : value;
}

export function variableNamesOf(table: VariableTable): readonly string[] {
  return Object.values(table).flatMap((entry) =>
    entry instanceof Variable ? [entry.name] : variableNamesOf(entry),
  );
}

function mapValues<T>(object: Readonly<Record<string, T>>, change: (value: T) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
