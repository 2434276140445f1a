import { bitCount } from '../../../domain/image/bit-count.ts';

const HALF = 2 ** 24;

/** Of 48 bits, those that differ. Bitwise operators take 32. */
export function bitsApart(one: number, other: number): number {
  const high = Math.floor(one / HALF) ^ Math.floor(other / HALF);
  return bitCount(high) + bitCount((one % HALF) ^ (other % HALF));
}
