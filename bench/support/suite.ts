import { type NamedOutcome, outcomeOf, type Scenario, type ScenarioName } from './scenario.ts';
import type { Workbench } from './workbench.ts';

/** Scenarios that run together. */
export interface Suite {
  readonly about: string;
  readonly scenarios: readonly ScenarioName[];
  /**
   * Runs the scenarios of these names one after the other, and yields each outcome at its end.
   *
   * @throws {MissingPrerequisite}
   */
  readonly run: (bench: Workbench, names: readonly string[]) => AsyncIterable<NamedOutcome>;
}

/** A suite cannot run on this machine. */
export class MissingPrerequisite extends Error {}

/** A suite whose scenarios share nothing. */
export function suiteOf(about: string, scenarios: readonly Scenario[]): Suite {
  return {
    about,
    scenarios,
    run: async function* run(bench, names) {
      for (const scenario of scenarios) {
        if (!names.includes(scenario.name) || scenario.isAvailable?.() === false) continue;
        yield await runAlone(scenario, bench);
      }
    },
  };
}

async function runAlone(scenario: Scenario, bench: Workbench): Promise<NamedOutcome> {
  try {
    return await outcomeOf(scenario.name, () => scenario.run(bench));
  } finally {
    await bench.stopServers();
  }
}
