/** The domain has no `TextEncoder`. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint < 0x80) length += 1;
    else if (codePoint < 0x800) length += 2;
    else length += codePoint < 0x10000 ? 3 : 4;
  }
  return length;
}
