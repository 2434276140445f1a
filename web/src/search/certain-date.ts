import type { Suggestion } from './suggestions.ts';

/**
 * The date that a text means, if it can mean nothing else. A word alone, as in May, may be in a title; a relative date
 * in all its words is none.
 */
export function certainDate(text: string, options: readonly Suggestion[]): Suggestion | undefined {
  const dates = options.filter(({ kind }) => kind === 'date');
  const [date] = dates;
  if (date === undefined || dates.length > 1) return undefined;
  const typed = text.toLowerCase().trim();
  if (options.some(({ kind, label }) => kind === 'tag' && label.toLowerCase() === typed)) return undefined;
  const phrase = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(date.rest === '' ? 0 : date.rest.split(' ').length)
    .join(' ');
  const isWord = /^\p{L}+$/u.test(phrase);
  return isWord && phrase.toLowerCase() !== date.hint?.toLowerCase() ? undefined : date;
}
