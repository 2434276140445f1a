/** Bytes that differ from their neighbours and do not repeat at powers of two, so that tests detect a shifted copy. */
export function patternedBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = index * 7 + Math.floor(index / 251);
  return bytes;
}

/** A file that begins as every JPEG does. */
export function jpegBytes(content = 'a picture'): Uint8Array {
  return concatenated([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), new TextEncoder().encode(content)]);
}

/** A file that begins as every PNG does. */
export function pngBytes(content = 'a picture'): Uint8Array {
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return concatenated([signature, new TextEncoder().encode(content)]);
}

export function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(chunks));
}

/** All bytes of a stream in one array. */
export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(Uint8Array.from(chunk));
  return concatenated(chunks);
}

/** A stream of `bytes` in chunks of at most `chunkSize`. */
export async function* streamOf(bytes: Uint8Array, chunkSize = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += chunkSize) {
    yield bytes.slice(start, start + chunkSize);
  }
}

/** A stream of `bytes` that then fails with `error`. */
export async function* streamBrokenAfter(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
  throw error;
}
