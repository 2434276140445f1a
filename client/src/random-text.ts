/** 32 hexadecimal digits. `crypto.randomUUID` is missing in pages without TLS. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
