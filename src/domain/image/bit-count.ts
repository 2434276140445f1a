/**
 * Adds pairs, nibbles and bytes: https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel
 *
 * @param value 32 bits
 */
export function bitCount(value: number): number {
  const pairs = value - ((value >>> 1) & 0x5555_5555);
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
