/** Numbers from 0 up to 1. */
export type Random = () => number;

export function logUniform(random: Random, from: number, to: number): number {
  return from * (to / from) ** random();
}

/** An integer from 0 up to `end`, exclusive. */
export function integer(random: Random, end: number): number {
  return Math.floor(random() * end);
}

export function anyOf<T>(values: readonly T[], random: Random): T {
  return values[integer(random, values.length)] as T;
}

export function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => integer(random, 256)));
}

/** Changes some of the bytes before the end. */
export function flipBytes(bytes: Buffer, count: number, random: Random, end = bytes.length): Buffer {
  for (let flip = 0; flip < count; flip += 1) {
    const at = integer(random, end);
    bytes[at] = (bytes[at] ?? 0) ^ (1 + integer(random, 255));
  }
  return bytes;
}
