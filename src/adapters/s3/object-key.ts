const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Nothing that a client says ever becomes a key. */
export function requireUuid(text: string): string {
  if (!isUuid(text)) throw new TypeError('A key is a lower-case UUID');
  return text;
}
