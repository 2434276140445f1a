import { fold } from './fold.ts';
import { shortenMarks } from './marks.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The lookahead comes first: a lookbehind at each of thousands of marks would take quadratic time. */
const BORDER = /(?=\p{Lu})(?<=\p{Ll}\p{M}*)|(?=\p{N})(?<=\p{L}\p{M}*)|(?=\p{L})(?<=\p{N}\p{M}*)/u;

const CJK = '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}]';

/** Runs of one kind. Between Chinese, Japanese or Korean characters, marks belong to the run. */
const RUNS = new RegExp(`${CJK}(?:${CJK}|\\p{M})*|(?:(?!${CJK}).)+`, 'gsu');
const IS_CJK = new RegExp(`^${CJK}`, 'u');

/** The words under which an image is found: a search matches their beginnings. */
export function indexWords(texts: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const run of runsOf(text)) for (const word of indexTerms(run)) words.add(word);
  }
  words.delete('');
  return words;
}

/**
 * Each must be the beginning of an index word, and none is the beginning of another: `cat` finds all that `cats` finds. Empty if
 * the text has no word.
 */
export function searchWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const run of runsOf(text)) {
    for (const word of IS_CJK.test(run) ? searchPairs(run) : [fold(run)]) words.add(word);
  }
  words.delete('');
  return [...words].filter((word) => !beginsAnother(word, words));
}

function beginsAnother(word: string, words: ReadonlySet<string>): boolean {
  return [...words].some((other) => other !== word && other.startsWith(word));
}

function runsOf(text: string): readonly string[] {
  // Decomposes what only looks like one character, such as ½ or ﷺ, and composes syllables.
  const found = shortenMarks(text).normalize('NFKC').match(WORD);
  // A text may repeat a word thousands of times: folding costs more than comparing.
  return [...new Set(found)].flatMap((word) => word.match(RUNS) ?? []);
}

function indexTerms(run: string): readonly string[] {
  if (IS_CJK.test(run)) return [...new Set(pairsOf(run))].map(fold);
  const parts = run.split(BORDER);
  return parts.length === 1 ? [fold(run)] : [run, ...parts].map(fold);
}

/** Makes n pairs of n characters: the last has one character, so that each is the beginning of a word. */
function pairsOf(run: string): readonly string[] {
  const characters = run.match(/.\p{M}*/gsu) ?? [];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

function searchPairs(run: string): readonly string[] {
  const pairs = pairsOf(run).map(fold);
  return pairs.length === 1 ? pairs : pairs.slice(0, -1);
}
