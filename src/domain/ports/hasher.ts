export interface Hasher {
  /** Reads the bytes to their end and returns their SHA-256 in lower-case hex. Rejects with what reading throws. */
  sha256(bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
