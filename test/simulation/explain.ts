import type { Schedule } from './schedule.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/** A failing schedule for a reader: its seed, and the shortest one that was found. */
export async function explain(failing: Schedule): Promise<string> {
  const shortest = await shrink(failing);
  const { failure, trace } = await simulate(shortest, { keepsTrace: true });
  return [
    `npm run simulate -- --seed ${failing.seed}`,
    `fails; shorter: ${failure?.message}`,
    `npm run simulate -- --schedule '${JSON.stringify(shortest)}'`,
    ...trace.map((line) => `  ${line}`),
  ].join('\n');
}
