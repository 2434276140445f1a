/** `trim` removes U+FEFF, which is no White_Space, and keeps U+0085, which is. */
export function withoutOuterSpace(text: string): string {
  const begin = text.search(/\P{White_Space}/u);
  if (begin < 0) return '';
  let end = text.length;
  while (/\p{White_Space}/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}
