/** What a value may be. */
export interface Kind<T> {
  /** Ends the sentence "--jobs must be". */
  readonly mustBe: string;
  /** Returns `undefined` if the text is none. */
  readonly parse: (text: string) => T | undefined;
}

/** An option of a command, described once for the parser, its errors and the help. */
export interface Option<T> extends Rules {
  /** What stands for the value in the help. A flag has none. */
  readonly value?: string;
  readonly help: string;
  /** @param texts those of each time that the option is given; of a flag `true` */
  readonly parse: (texts: readonly string[], mustBe: (rule: string) => never) => T;
}

/** Other options are named as in the table. */
interface Rules {
  readonly excludes?: readonly string[];
  readonly needs?: string;
  readonly isRequired?: boolean;
}

/** What a call must have behind the name of the command. */
export interface Operand<T> extends Kind<T> {
  /** What stands for it in the help. */
  readonly value: string;
}

export function operand<T>(value: string, kind: Kind<T>): Operand<T> {
  return { value, ...kind };
}

export const TEXT: Kind<string> = { mustBe: 'a text', parse: (text) => text };

export function flag(help: string, rules: Rules = {}): Option<boolean> {
  return { help, ...rules, parse: (texts) => texts.length > 0 };
}

/** If it is given several times, the last one counts. */
export function option<T>(
  value: string,
  help: string,
  kind: Kind<T>,
  rules: Rules = {},
): Option<T | undefined> {
  const parse: Option<T | undefined>['parse'] = (texts, mustBe) => {
    const text = texts.at(-1);
    return text === undefined ? undefined : (kind.parse(text) ?? mustBe(kind.mustBe));
  };
  return { value, help, ...rules, parse };
}

export function requiredOption<T>(value: string, help: string, kind: Kind<T>): Option<T> {
  const { parse } = option(value, help, kind);
  return {
    value,
    help,
    isRequired: true,
    parse: (texts, mustBe) => parse(texts, mustBe) ?? mustBe(kind.mustBe),
  };
}

/** @param usual the value if the option is not given */
export function optionOr<T>(value: string, help: string, kind: Kind<T>, usual: () => T): Option<T> {
  const { parse } = option(value, help, kind);
  return { value, help, parse: (texts, mustBe) => parse(texts, mustBe) ?? usual() };
}

/** Can be repeated. */
export function listOption(value: string, help: string): Option<readonly string[]> {
  return { value, help: `${help}; can be repeated`, parse: (texts) => texts };
}
