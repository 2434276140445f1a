import * as z from 'zod';

/** An option of a command, described once for the parser, its errors and the help. */
export interface Option<T> extends Rules {
  /** What stands for the value in the help. A flag has none. */
  readonly value?: string;
  readonly help: string;
  /** Checks the value, and has the default. Its messages follow the name: "must be …". */
  readonly type: z.ZodType<T>;
  readonly canBeRepeated?: boolean;
}

/** Other options are named as in the table. */
interface Rules {
  readonly excludes?: readonly string[];
  readonly needs?: string;
}

/** What a call must have behind the name of the command. */
export interface Operand<T> {
  /** What stands for it in the help. */
  readonly value: string;
  readonly type: z.ZodType<T>;
}

export function operand<T>(value: string, type: z.ZodType<T>): Operand<T> {
  return { value, type };
}

export const TEXT = z.string();

export function flag(help: string, rules: Rules = {}): Option<boolean> {
  return { help, type: z.boolean().default(false), ...rules };
}

/** If it is given several times, the last one counts. */
export function option<T>(value: string, help: string, type: z.ZodType<T>, rules: Rules = {}): Option<T> {
  return { value, help, type, ...rules };
}

export function listOption(value: string, help: string): Option<readonly string[]> {
  return {
    value,
    help: `${help}; can be repeated`,
    type: z.array(z.string()).default([]),
    canBeRepeated: true,
  };
}
