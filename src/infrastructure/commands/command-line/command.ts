import type * as z from 'zod';
import type { Operand, Option } from './option.ts';

type Options = Readonly<Record<string, Option<unknown>>>;

type Operands = Readonly<Record<string, Operand<unknown>>>;

type Values<O extends Options | Operands> = { readonly [Name in keyof O]: z.output<O[Name]['type']> };

/** One way to call a command. */
export interface Call<O extends Options = Options, P extends Operands = Operands> {
  /** By their names on the command line, in camel case. */
  readonly options: O;
  /** In their order. All are required. */
  readonly operands: P;
  /** Resolves to the exit code. */
  run(values: Values<O> & Values<P>): Promise<number>;
}

export interface Command extends Call {
  readonly summary: string;
  /** Other ways to call it, by the first operand. */
  readonly actions: Readonly<Record<string, Call>>;
}

type CallParts<O extends Options, P extends Operands> = Pick<Call<O, P>, 'run'> & Partial<Call<O, P>>;

export function action<O extends Options = {}, P extends Operands = {}>(parts: CallParts<O, P>): Call {
  return { options: {}, operands: {}, ...parts };
}

export function command<O extends Options = {}, P extends Operands = {}>({
  summary,
  actions = {},
  ...parts
}: CallParts<O, P> & Pick<Command, 'summary'> & Partial<Pick<Command, 'actions'>>): Command {
  return { summary, actions, ...action(parts) };
}
