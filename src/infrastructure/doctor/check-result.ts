/** What one check found, in words for an operator. */
export interface CheckResult {
  /**
   * With a problem, requests would be refused or the service would not start. A hint is for people who run the service for others:
   * with hints alone, all is well.
   */
  readonly level: 'ok' | 'hint' | 'warning' | 'problem';
  readonly text: string;
  /** The line of the configuration, or the thing to do. */
  readonly change?: string | undefined;
}

/** What several checks found. */
export type Findings = Generator<CheckResult, void, undefined>;

export function ok(text: string): CheckResult {
  return { level: 'ok', text };
}

export function hint(text: string, change?: string): CheckResult {
  return { level: 'hint', text, change };
}

export function warning(text: string, change?: string): CheckResult {
  return { level: 'warning', text, change };
}

export function problem(text: string, change?: string): CheckResult {
  return { level: 'problem', text, change };
}

/** Terminals obey U+0080 to U+009F too, and JSON leaves them as they are. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Foreign text in one line of bounded length. */
export function quote(value: unknown): string {
  const text = wordOf(value);
  const quoted = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  return quoted.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a terminal shows the text in one line, as it is. */
export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/** A value of foreign JSON. */
export function wordOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // `fetch` and the storage errors hide the reason in the cause.
  return cause instanceof Error ? messageOf(cause) : error.message || error.name;
}
