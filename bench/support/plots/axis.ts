/** Where values are on an axis. */
export interface Axis {
  /** Ascending; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  /** From 0 at the first tick to 1 at the last. */
  readonly positionOf: (value: number) => number;
}

const LINEAR_STEP = 0.25;
const STEPS_OF_A_DECADE = [1, 2, 5];
const DECADES = [-3, -2, -1, 0, 1, 2, 3, 4];

/** From 0 to the first quarter above all values. */
export function linearAxis(values: readonly number[]): Axis {
  const steps = Math.ceil(Math.max(...values) / LINEAR_STEP);
  const ticks = Array.from({ length: steps + 1 }, (_, step) => step * LINEAR_STEP);
  return { ticks, positionOf: (value) => value / (steps * LINEAR_STEP) };
}

/** Logarithmic, from the last of 1, 2, 5, 10, … below all values to the first above them. */
export function logAxis(values: readonly number[]): Axis {
  const candidates = DECADES.flatMap((decade) =>
    STEPS_OF_A_DECADE.map((step) => Number(`${step}e${decade}`)),
  );
  const first = candidates.findLastIndex((tick) => tick <= Math.min(...values));
  const last = candidates.findIndex((tick) => tick >= Math.max(...values));
  const ticks = candidates.slice(first, last + 1);
  const [low, high] = [Math.log(ticks[0] as number), Math.log(ticks.at(-1) as number)];
  return { ticks, positionOf: (value) => (Math.log(value) - low) / (high - low) };
}
