/** Of the service: bytes of a name in UTF-8. */
const MAX_BYTES = 255;

const encoder = new TextEncoder();

/** A name that the service takes: the end of a long one is cut off, but not its extension. */
export function uploadName(name: string): string {
  if (bytesOf(name) <= MAX_BYTES) return name;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  const base = Array.from(name.slice(0, name.length - extension.length));
  while (bytesOf(base.join('')) + extension.length > MAX_BYTES) base.pop();
  return base.join('') + extension;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
