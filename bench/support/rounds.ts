import type { Subject } from './compare.ts';
import { measure, type Run } from './measure.ts';
import type { Note } from './scenario.ts';
import { median } from './statistics.ts';
import type { Workbench } from './workbench.ts';

/** Medians of the rounds. */
export interface RequestCost {
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
}

/**
 * Measures several subjects one after the other, in rounds. The first round is a warm-up.
 *
 * @param subjectsOf the same number of subjects in each round; rounds are counted from 0
 */
export async function interleavedCosts(
  bench: Workbench,
  subjectsOf: (round: number) => Promise<readonly Subject[]>,
): Promise<readonly RequestCost[]> {
  const runs: Run[][] = [];
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [at, { server, job }] of (await subjectsOf(round)).entries()) {
      const run = await measure(bench.generator, server, job);
      if (round > 0) (runs[at] ??= []).push(run);
    }
  }
  return runs.map((ofOne) => ({
    cpuMsPerRequest: median(ofOne.map((run) => run.cpuMsPerRequest)),
    requestsPerSecond: median(ofOne.map((run) => run.requestsPerSecond)),
  }));
}

export function costNotes(
  what: string,
  { cpuMsPerRequest, requestsPerSecond }: RequestCost,
): readonly Note[] {
  return [
    { what: `${what}: CPU`, measured: cpuMsPerRequest, unit: 'ms' },
    { what: `${what}: throughput`, measured: requestsPerSecond, unit: 'requests/s' },
  ];
}
