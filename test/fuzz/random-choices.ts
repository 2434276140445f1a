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
