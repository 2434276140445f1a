import { randomInt } from 'node:crypto';
import { randomNumbers } from './fixtures/random-numbers.ts';

/** How much of a generated suite runs. */
export interface Sample {
  /** The number of cases; those that a suite cannot do without come on top. */
  readonly size: number;
  readonly seed: number;
}

/** For `*.thorough.test.ts`. */
export const WHOLE: Sample = { size: Number.POSITIVE_INFINITY, seed: 0 };

const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 24));

/** For `*.test.ts`. Each run chooses others; `TEST_SEED` repeats the choice of a run, which `titleOf` prints. */
export function sample(size: number): Sample {
  return { size, seed: SEED };
}

/** Says in the title of a suite how to repeat its choice. */
export function titleOf(title: string, { size, seed }: Sample): string {
  return size === WHOLE.size ? title : `${title} (a sample: TEST_SEED=${seed})`;
}

/** The chosen ones, in their order. */
export function chosenOf<T>(all: readonly T[], { size, seed }: Sample): readonly T[] {
  if (all.length <= size) return all;
  const next = randomNumbers(seed);
  const places = all.map((_, place) => ({ place, rank: next() })).toSorted((a, b) => a.rank - b.rank);
  const chosen = new Set(places.slice(0, size).map(({ place }) => place));
  return all.filter((_, place) => chosen.has(place));
}
