import { MAX_TAGS, type ViewState, validCapture } from '../view-state/view-state.ts';
import type { FoundDate } from './date-finder.ts';
import { searchTexts } from './search-texts.ts';

/** A filter that the end of the typed text can mean. */
export interface Suggestion {
  readonly kind: 'tag' | 'no-tag' | 'date' | 'no-date' | 'no-alt' | 'type' | 'camera' | 'lens';
  readonly label: string;
  /** What was typed in other words, as in Last month. */
  readonly hint?: string | undefined;
  /** Pictures; `undefined` if it is not known. */
  readonly count?: number | undefined;
  readonly change: Partial<ViewState>;
  /** The words before it, which stay in the field. */
  readonly rest: string;
}

/** It tells the suggestions of a list apart. */
export function suggestionKey({ kind, label }: Suggestion): string {
  return `${kind} ${label}`;
}

export interface SuggestionSources {
  readonly tagsOf: (phrase: string) => ReadonlyArray<{ readonly tag: string; readonly count: number }>;
  /** `undefined` as long as dates are not known, or if the catalog has no timeline. */
  readonly dates:
    | { suggest(text: string): readonly FoundDate[]; recent(count: number): readonly FoundDate[] }
    | undefined;
}

/** The end of a text, and what is before it. */
interface Phrase {
  readonly phrase: string;
  readonly rest: string;
}

const MAX_DATE_WORDS = 5;

/** Of those for pictures without tags, dates or alternative texts. */
const MAX_NAME_WORDS = 3;

const SHOWN = { tags: 6, recentTags: 5, recentMonths: 3 };

const TYPES = [
  { label: 'JPEG', mediaType: 'image/jpeg', names: ['jpeg', 'jpg'] },
  { label: 'PNG', mediaType: 'image/png', names: ['png'] },
  { label: 'WebP', mediaType: 'image/webp', names: ['webp'] },
  { label: 'GIF', mediaType: 'image/gif', names: ['gif'] },
] as const;

export function suggestionsFor(
  text: string,
  view: ViewState,
  sources: SuggestionSources,
): readonly Suggestion[] {
  return [
    ...tagSuggestions(text, view, sources),
    ...untaggedSuggestion(text, view),
    ...dateSuggestions(text, sources),
    ...undatedSuggestion(text, view),
    ...undescribedSuggestion(text, view),
    ...typeSuggestions(text, view),
    ...captureSuggestions(text),
  ];
}

/** The texts for which tags are suggested: all that was typed, and its last word. */
export function tagPhrases(text: string): readonly [whole: string, last: string | undefined] {
  const [whole, last] = [phraseOf(text, Number.POSITIVE_INFINITY), phraseOf(text, 1)];
  return [whole.phrase, last.phrase === whole.phrase ? undefined : last.phrase];
}

function tagSuggestions(text: string, view: ViewState, { tagsOf }: SuggestionSources): readonly Suggestion[] {
  if (view.tags.length >= MAX_TAGS) return [];
  const phrases = [phraseOf(text, Number.POSITIVE_INFINITY), phraseOf(text, 1)];
  const found = new Map<string, Suggestion>();
  for (const { phrase, rest } of phrases) {
    for (const { tag, count } of tagsOf(phrase)) {
      const change = { tags: [...view.tags, tag] };
      if (!found.has(tag)) found.set(tag, { kind: 'tag', label: tag, count, change, rest });
    }
  }
  return [...found.values()].slice(0, text.trim() === '' ? SHOWN.recentTags : SHOWN.tags);
}

function dateSuggestions(text: string, { dates }: SuggestionSources): readonly Suggestion[] {
  if (dates === undefined) return [];
  if (text.trim() === '') return dates.recent(SHOWN.recentMonths).map((date) => dateSuggestion(date, ''));
  for (let words = MAX_DATE_WORDS; words > 0; words -= 1) {
    const { phrase, rest } = phraseOf(text, words);
    const found = dates.suggest(phrase);
    if (found.length > 0) return found.map((date) => dateSuggestion(date, rest));
  }
  return [];
}

function dateSuggestion({ label, hint, count, bounds }: FoundDate, rest: string): Suggestion {
  return { kind: 'date', label, hint, count, change: bounds, rest };
}

function typeSuggestions(text: string, { mediaType: present }: ViewState): readonly Suggestion[] {
  const { phrase, rest } = phraseOf(text, 1);
  const typed = phrase.toLowerCase();
  return TYPES.filter(({ mediaType, names }) => {
    const isNamed = typed === '' || (typed.length > 1 && names.some((name) => name.startsWith(typed)));
    return mediaType !== present && isNamed;
  }).map(({ label, mediaType }) => ({ kind: 'type', label, change: { mediaType }, rest }));
}

function untaggedSuggestion(text: string, { tagged }: ViewState): readonly Suggestion[] {
  const rest = restBefore(text, [...searchTexts().untagged, ...searchTexts.english.untagged]);
  if (rest === undefined || tagged === false) return [];
  return [{ kind: 'no-tag', label: searchTexts().untagged[0], change: { tags: [], tagged: false }, rest }];
}

function undatedSuggestion(text: string, { dated }: ViewState): readonly Suggestion[] {
  const rest = restBefore(text, [...searchTexts().undated, ...searchTexts.english.undated]);
  if (rest === undefined || dated === false) return [];
  const change = { takenAfter: undefined, takenBefore: undefined, dated: false } as const;
  return [{ kind: 'no-date', label: searchTexts().undated[0], change, rest }];
}

function undescribedSuggestion(text: string, { alt }: ViewState): readonly Suggestion[] {
  const rest = restBefore(text, [...searchTexts().undescribed, ...searchTexts.english.undescribed]);
  if (rest === undefined || alt === false) return [];
  return [{ kind: 'no-alt', label: searchTexts().undescribed[0], change: { alt: false }, rest }];
}

/** @returns what is before the beginning of one of these names; `undefined` if the text does not end in one */
function restBefore(text: string, names: readonly string[]): string | undefined {
  for (let words = MAX_NAME_WORDS; words > 0; words -= 1) {
    const { phrase, rest } = phraseOf(text, words);
    const typed = phrase.toLowerCase();
    if (typed === '') return '';
    if (typed.length > 1 && names.some((name) => name.toLowerCase().startsWith(typed))) return rest;
  }
  return undefined;
}

/** All words behind the last `camera` or `lens`. */
function captureSuggestions(text: string): readonly Suggestion[] {
  const words = phraseOf(text.replaceAll(':', ': '), Number.POSITIVE_INFINITY).phrase.split(' ');
  const at = words.findLastIndex((word) => captureOf(word) !== undefined);
  const kind = captureOf(words[at] ?? '');
  const value = validCapture(words.slice(at + 1).join(' '));
  if (kind === undefined || value === '') return [];
  const label = searchTexts().captures[kind](value);
  return [{ kind, label, change: { [kind]: value }, rest: words.slice(0, at).join(' ') }];
}

function captureOf(word: string): 'camera' | 'lens' | undefined {
  const typed = word.toLowerCase().replace(/:$/, '');
  const languages = [searchTexts().captureWords, searchTexts.english.captureWords];
  return (['camera', 'lens'] as const).find((kind) => languages.some((words) => words[kind] === typed));
}

function phraseOf(text: string, words: number): Phrase {
  const all = text.split(/\s+/).filter((word) => word !== '');
  const begin = Math.max(0, all.length - words);
  return { phrase: all.slice(begin).join(' '), rest: all.slice(0, begin).join(' ') };
}
