/** What NFKD leaves as it is. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ς', 'σ'],
]);

const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/** ASCII, for most names and words, and Chinese characters, of which texts have thousands of words: only case is folded. */
const SIMPLE = /^[\0-\x7f\u3400-\u4dbf\u4e00-\u9fff]*$/;

/** Equal for spellings that differ in case, accents or compatibility forms. Independent of the locale. */
export function fold(text: string): string {
  if (SIMPLE.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(ANY_LETTER, (letter) => LETTERS.get(letter) ?? letter);
}
