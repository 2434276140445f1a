/** The forms of a text by count; `#` stands for the count. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** How a language writes numbers, dates and lists. */
export interface Formats {
  readonly number: (value: number) => string;
  /** At most one digit after the point. */
  readonly decimal: (value: number) => string;
  /** As in 12.3 MB: decimal units, as systems show the sizes of files. */
  readonly size: (bytes: number) => string;
  /** @param period as in 2026-11-22, 2026-11 or 2026 */
  readonly period: (period: string) => string;
  /** @param time RFC 3339; shown in UTC */
  readonly time: (time: string) => string;
  /** The same without seconds. */
  readonly minute: (time: string) => string;
  /** On the clock of the person, without seconds. */
  readonly localMinute: (time: string) => string;
  readonly list: (parts: readonly string[]) => string;
  readonly plural: (forms: PluralForms) => (count: number) => string;
  /** From January on, in lower case. */
  readonly months: readonly string[];
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatsOf(locale: string): Formats {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false });
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });
  return {
    number: (value) => whole.format(value),
    decimal: (value) => decimal.format(value),
    size: (bytes) => sizeText(locale, bytes),
    period: periodFormat(locale),
    time: timeFormat(locale, 'medium', 'UTC'),
    minute: timeFormat(locale, 'short', 'UTC'),
    localMinute: timeFormat(locale, 'short'),
    list: (parts) => list.format(parts),
    plural: pluralTexts(locale, whole),
    months: monthNames(locale),
  };
}

/** @param timeZone that of the browser, without */
function timeFormat(locale: string, timeStyle: 'short' | 'medium', timeZone?: 'UTC'): Formats['time'] {
  const style = { dateStyle: 'medium', timeStyle, hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat(locale, timeZone === undefined ? style : { ...style, timeZone });
  return (text) => format.format(new Date(text));
}

function sizeText(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  // The same number of digits while a size grows, so that its text keeps its width.
  const digits = power > 0 && value < 100 ? 1 : 0;
  return value.toLocaleString(locale, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Dates are written as UTC, so that the browser's time zone does not move them. */
function periodFormat(locale: string): Formats['period'] {
  const [year, month, day] = [
    { year: 'numeric' },
    { year: 'numeric', month: 'long' },
    { year: 'numeric', month: 'long', day: 'numeric' },
  ].map(
    (parts) => new Intl.DateTimeFormat(locale, { ...(parts as Intl.DateTimeFormatOptions), timeZone: 'UTC' }),
  );
  return (period) => {
    const format = period.length === 4 ? year : period.length === 7 ? month : day;
    return format?.format(Date.parse(period)) ?? period;
  };
}

function pluralTexts(locale: string, whole: Intl.NumberFormat): Formats['plural'] {
  const rules = new Intl.PluralRules(locale);
  return (forms) => (count) =>
    (forms[rules.select(count)] ?? forms.other).replace('#', () => whole.format(count));
}

function monthNames(locale: string): Formats['months'] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month)).toLowerCase());
}
