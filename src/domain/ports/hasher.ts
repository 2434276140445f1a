export interface Hasher {
  /** SHA-256 of bytes that are read to their end, lower-case hex. Rejects with what reading them throws. */
  sha256(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>;
}
