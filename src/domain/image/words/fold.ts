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

/** In the order of the code points, as databases compare bytes of UTF-8; `<` compares UTF-16. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at === length
    ? a.length - b.length
    : codePointRank(a.charCodeAt(at)) - codePointRank(b.charCodeAt(at));
}

/** Surrogates stand for code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** `trim` removes U+FEFF, which is no White_Space, and keeps U+0085, which is. */
export function withoutOuterSpace(text: string): string {
  const begin = text.search(/\P{White_Space}/u);
  if (begin < 0) return '';
  let end = text.length;
  while (/\p{White_Space}/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}
