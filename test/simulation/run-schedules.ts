import { WEIGHTS } from './operations/operations.ts';
import type { FaultKind } from './port-calls.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { simulate } from './simulate.ts';

export interface Figures {
  schedules: number;
  steps: number;
  /** Calls of ports. */
  requests: number;
  /** That have happened; a schedule may end before its last fault. */
  readonly faults: Map<FaultKind, number>;
  /** Distinct ones. */
  readonly interleavings: Set<number>;
  /** The first schedule that breaks the contract. */
  failing?: Schedule;
}

/** Runs the schedules of consecutive seeds until one breaks the contract. */
export async function runSchedules(first: number, count: number): Promise<Figures> {
  const figures: Figures = {
    schedules: 0,
    steps: 0,
    requests: 0,
    faults: new Map(),
    interleavings: new Set(),
  };
  for (let seed = first; seed < first + count; seed += 1) {
    const schedule = scheduleOf(seed, WEIGHTS);
    const { failure, interleaving, steps, requests, injected } = await simulate(schedule);
    figures.schedules += 1;
    figures.steps += steps;
    figures.requests += requests;
    figures.interleavings.add(interleaving);
    for (const { kind } of injected) figures.faults.set(kind, (figures.faults.get(kind) ?? 0) + 1);
    if (failure !== undefined) return { ...figures, failing: schedule };
  }
  return figures;
}
