/** Compares code points, as databases compare bytes of UTF-8; `<` compares UTF-16. */
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
