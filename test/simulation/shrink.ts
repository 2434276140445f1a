import type { Schedule } from './schedule.ts';
import { simulate } from './simulate.ts';

/** Other orders are tried too: with fewer calls, the same choices give another run. */
const ORDERS = 30;

/** Removes operations and faults one by one, as long as what is left breaks the contract. */
export async function shrink(failing: Schedule): Promise<Schedule> {
  for (const candidate of shorter(failing)) {
    for (let order = 0; order < ORDERS; order += 1) {
      const reordered = { ...candidate, seed: candidate.seed + order };
      if ((await simulate(reordered)).failure !== undefined) return await shrink(reordered);
    }
  }
  return failing;
}

function* shorter(schedule: Schedule): Generator<Schedule, void, undefined> {
  const { operations, faults } = schedule;
  for (const index of operations.keys()) yield { ...schedule, operations: operations.toSpliced(index, 1) };
  for (const index of faults.keys()) yield { ...schedule, faults: faults.toSpliced(index, 1) };
}
