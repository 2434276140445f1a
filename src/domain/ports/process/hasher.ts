export interface Hasher {
  /** Lower-case hex. Rejects with what reading throws. */
  sha256(bytes: AsyncIterable<Uint8Array>): Promise<string>;
}
