import { formats } from '../languages/formats.ts';
import { rangeLabel } from './date-label.ts';
import { type DateRange, dayBeside, periodOfRange, rangeOfPeriod } from './date-range.ts';
import { type DateSide, type RelativeDate, searchTexts } from './search-texts.ts';

export interface DateSuggestion {
  /** As in May 2026. */
  readonly label: string;
  /** What was typed in other words, as in Last month. */
  readonly hint: string | undefined;
  readonly range: DateRange;
  /** Pictures; `undefined` if it is not known. */
  readonly count: number | undefined;
}

/** A month that has pictures. */
export interface MonthCount {
  /** As in 2026-11. */
  readonly period: string;
  readonly count: number;
}

export interface KnownDates {
  /** As in 2026-11-22, in the time zone of the catalog. */
  readonly today: string;
  /** Newest first; `undefined` as long as they are not known. */
  readonly months: readonly MonthCount[] | undefined;
}

const MAX_SUGGESTIONS = 6;
/** The days, months, years and ranges that a text can mean. Those of which the catalog has no pictures are left out. */
export function suggestDates(text: string, known: KnownDates): readonly DateSuggestion[] {
  const typed = text.toLowerCase().replaceAll(',', ' ').replace(/\s+/g, ' ').trim();
  const found = [...relativeRanges(typed, known.today), ...namedRanges(typed, known)];
  const suggestions = new Map<string, DateSuggestion>();
  for (const { range, hint } of found) {
    const label = rangeLabel(range);
    const count = known.months === undefined ? undefined : countIn(range, known.months);
    if (count !== 0 && !suggestions.has(label)) suggestions.set(label, { label, hint, range, count });
  }
  return [...suggestions.values()].slice(0, MAX_SUGGESTIONS);
}

interface FoundRange {
  readonly range: DateRange;
  readonly hint?: string | undefined;
}

/** The texts in which dates are understood: English in every language. */
function languages(): ReadonlyArray<typeof searchTexts.english> {
  return [...new Set([searchTexts(), searchTexts.english])];
}

/** Today, yesterday, last month: from three letters on. */
function relativeRanges(typed: string, today: string): readonly FoundRange[] {
  if (typed.length < 3) return [];
  return Object.entries(rangesFrom(today))
    .filter(([name]) => isNamed(name as RelativeDate, typed))
    .map(([name, range]) => ({ hint: searchTexts().dates[name as RelativeDate][0], range }));
}

function isNamed(name: RelativeDate, typed: string): boolean {
  return languages().some(({ dates }) => dates[name].some((words) => words.toLowerCase().startsWith(typed)));
}

function rangesFrom(today: string): Readonly<Record<RelativeDate, DateRange>> {
  const [year, month] = [today.slice(0, 4), today.slice(0, 7)];
  const lastDays = (days: number): DateRange => ({ from: dayBeside(today, 1 - days), until: today });
  return {
    today: rangeOfPeriod(today),
    yesterday: rangeOfPeriod(dayBeside(today, -1)),
    thisMonth: rangeOfPeriod(month),
    lastMonth: rangeOfPeriod(dayBeside(`${month}-01`, -1).slice(0, 7)),
    thisYear: rangeOfPeriod(year),
    lastYear: rangeOfPeriod(String(Number(year) - 1)),
    last7Days: lastDays(7),
    last30Days: lastDays(30),
  };
}

/** Since May 2026, before 2020, 2019 to 2021, from 2019 to 2021, or a period alone. */
function namedRanges(typed: string, known: KnownDates): readonly FoundRange[] {
  for (const side of ['since', 'after', 'until', 'before'] as const) {
    const [, rest] = sidePattern(side).exec(typed) ?? [];
    const [period] = rest === undefined ? [] : periodsNamed(rest, known);
    if (period !== undefined) return [{ range: openRange(side, period) }];
  }
  const [, first = '', last = ''] = betweenPattern().exec(typed) ?? [];
  const [begin, end] = [periodsNamed(first, known)[0], periodsNamed(last, known)[0]];
  if (begin !== undefined && end !== undefined && begin <= end) {
    return [{ range: { from: rangeOfPeriod(begin).from, until: rangeOfPeriod(end).until } }];
  }
  return periodsNamed(typed, known).map((period) => ({ range: rangeOfPeriod(period) }));
}

function sidePattern(side: DateSide): RegExp {
  return new RegExp(`^(?:${sideWords(side).join('|')}) (.+)$`);
}

function betweenPattern(): RegExp {
  const [since, between] = [sideWords('since').join('|'), sideWords('between').join('|')];
  return new RegExp(`^(?:(?:${since}) )?(.+?) ?(?: (?:${between}) | - |–|—) ?(.+)$`);
}

function sideWords(side: DateSide): readonly string[] {
  return languages().flatMap(({ dateSides }) => dateSides[side]);
}

function openRange(side: DateSide, period: string): DateRange {
  const { from = '', until = '' } = rangeOfPeriod(period);
  if (side === 'before') return { from: undefined, until: dayBeside(from, -1) };
  if (side === 'until') return { from: undefined, until };
  return { from: side === 'after' ? dayBeside(until, 1) : from, until: undefined };
}

/** As in 2026-11-22, 2026-11 or 2026; the likeliest first. */
function periodsNamed(typed: string, known: KnownDates): readonly string[] {
  return [...new Set([...numericPeriods(typed, known), ...datesWithMonthName(typed, known)])];
}

const YEAR = /^[12]\d{3}$/;

function numericPeriods(typed: string, { months = [] }: KnownDates): readonly string[] {
  const parts = typed.split(/[-/.]/);
  const [a = '', b = '', c = ''] = parts;
  if (parts.some((part) => !/^\d{1,4}$/.test(part))) return [];
  if (parts.length === 1) {
    return YEAR.test(a)
      ? [a, ...months.map(({ period }) => period).filter((month) => month.startsWith(a))]
      : [];
  }
  if (parts.length === 2) return [...monthOf(a, b), ...monthOf(b, a)];
  if (parts.length > 3) return [];
  // 4/5/2026 is in May in some countries and in April in others.
  return [...dayOf(a, b, c), ...dayOf(c, b, a), ...(typed.includes('/') ? dayOf(c, a, b) : [])];
}

/** May, May 2026, 14 May, May 14th 2026, 14. Mai 2026. */
function datesWithMonthName(typed: string, known: KnownDates): readonly string[] {
  const words = typed.split(' ');
  const name = words.find((word) => monthNumber(word) > 0);
  if (name === undefined || words.length > 3) return [];
  const month = String(monthNumber(name));
  const numbers = words
    .filter((word) => word !== name)
    .map((word) => word.replace(/(?<=\d)(st|nd|rd|th|\.)$/, ''));
  if (numbers.some((word) => !/^\d{1,4}$/.test(word))) return [];
  const [first = '', second = ''] = numbers;
  if (numbers.length === 2) return dayOf(second, month, first);
  if (YEAR.test(first)) return monthOf(first, month);
  // A number may be a day, or the beginning of a year.
  const recent = yearsOf(month, known).filter((year) => year.startsWith(first));
  return [
    ...(first === ''
      ? []
      : yearsOf(month, known)
          .slice(0, 1)
          .flatMap((year) => dayOf(year, month, first))),
    ...recent.flatMap((year) => monthOf(year, month)),
  ];
}

/** 1 to 12, from three letters on; 0 if the word is no month. */
function monthNumber(word: string): number {
  const [, letters] = /^(\p{L}{3,})\.?$/u.exec(word) ?? [];
  if (letters === undefined) return 0;
  const all = [formats(), formats.english].map(({ months }) =>
    months.findIndex((name) => name.startsWith(letters)),
  );
  return Math.max(...all) + 1;
}

/** In which the month has pictures; without knowing, the last one. */
function yearsOf(month: string, { today, months }: KnownDates): readonly string[] {
  const ending = `-${twoDigits(month)}`;
  if (months !== undefined) {
    return months.filter(({ period }) => period.endsWith(ending)).map(({ period }) => period.slice(0, 4));
  }
  const year = Number(today.slice(0, 4));
  return [String(today.slice(4, 7) >= ending ? year : year - 1)];
}

function monthOf(year: string, month: string): readonly string[] {
  const period = `${year}-${twoDigits(month)}`;
  return YEAR.test(year) && isDate(`${period}-01`) ? [period] : [];
}

function dayOf(year: string, month: string, day: string): readonly string[] {
  const period = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  return YEAR.test(year) && isDate(period) ? [period] : [];
}

function isDate(day: string): boolean {
  const time = Date.parse(day);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** 0 if the months of the range have no pictures; `undefined` if the range is not of whole months. */
function countIn(range: DateRange, months: readonly MonthCount[]): number | undefined {
  const { from = '0000', until = '9999' } = range;
  const within = months.filter(({ period }) => period >= from.slice(0, 7) && period <= until.slice(0, 7));
  const count = within.reduce((sum, month) => sum + month.count, 0);
  return count === 0 || isOfWholeMonths(range) ? count : undefined;
}

function isOfWholeMonths({ from, until }: DateRange): boolean {
  return (
    (from === undefined || from.endsWith('-01')) &&
    (until === undefined || rangeOfPeriod(until.slice(0, 7)).until === until) &&
    periodOfRange({ from, until })?.length !== 10
  );
}

function twoDigits(number: string): string {
  return number.padStart(2, '0');
}
