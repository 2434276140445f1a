import { parseArgs } from 'node:util';
import { coldStart } from './scenarios/cold-start.ts';
import { firstRendition } from './scenarios/first-rendition.ts';
import { GET_SCENARIOS } from './scenarios/gets.ts';
import { oneEncode } from './scenarios/one-encode.ts';
import { uploadMemory } from './scenarios/upload-memory.ts';
import { UPLOAD_SCENARIOS } from './scenarios/uploads.ts';
import { verification } from './scenarios/verification.ts';
import { describeMachine } from './support/machine.ts';
import { InvalidRun } from './support/measure.ts';
import { reportOf, TABLE_HEAD } from './support/report.ts';
import { lineOf, writeResults } from './support/results.ts';
import { isFarOff, type Outcome, type Scenario } from './support/scenario.ts';
import { Workbench } from './support/workbench.ts';

const SCENARIOS: readonly Scenario[] = [
  ...GET_SCENARIOS,
  ...UPLOAD_SCENARIOS,
  firstRendition,
  oneEncode,
  uploadMemory,
  coldStart,
  verification,
];

const USAGE = `Measures the built service beside the bare servers that are its limit. Needs Linux (reads /proc).

  --only NAME[,NAME]  of ${SCENARIOS.map(({ name }) => name).join(', ')}
  --quick             in under 3 minutes: short runs, and only those that a target is set for
  --rounds N          interleaved rounds, default 3
  --json FILE         where the figures go, default bench/results/run-<time>.json
  --check             exit 1 where a figure is worse than its target by more than the factor 2; where the target is
                      known to be out of reach, below a bound of its own`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  const scenarios = chosen(values);
  if (values.help || !(rounds >= 1) || scenarios.length === 0) {
    console.error(USAGE);
    return values.help ? 0 : 64;
  }
  const machine = describeMachine();
  console.log(`${lineOf(machine)}\n\n${TABLE_HEAD}`);
  const outcomes = await runAll(scenarios, { rounds, quick: values.quick });
  await writeResults('run', values.json, { machine, options: values, outcomes });
  return exitCodeOf(outcomes, values.check);
}

function chosen({ only, quick }: { only?: string | undefined; quick: boolean }): readonly Scenario[] {
  if (only === undefined) return SCENARIOS.filter(({ hasTarget = true }) => hasTarget || !quick);
  const names = only.split(',');
  return SCENARIOS.filter(({ name }) => names.some((wanted) => name.startsWith(wanted)));
}

type NamedOutcome = Outcome & { readonly name: string; readonly invalid?: string };

async function runAll(
  scenarios: readonly Scenario[],
  options: { readonly rounds: number; readonly quick: boolean },
): Promise<readonly NamedOutcome[]> {
  const bench = await Workbench.set(options);
  const outcomes: NamedOutcome[] = [];
  try {
    for (const scenario of scenarios) outcomes.push(await runOne(scenario, bench));
  } finally {
    await bench.clear();
  }
  return outcomes;
}

async function runOne(scenario: Scenario, bench: Workbench): Promise<NamedOutcome> {
  try {
    const outcome = await scenario.run(bench);
    console.log(reportOf(outcome));
    return { name: scenario.name, ...outcome };
  } catch (error) {
    if (!(error instanceof InvalidRun)) throw error;
    console.log(`INVALID ${scenario.name}: ${error.message}`);
    return { name: scenario.name, invalid: error.message };
  } finally {
    await bench.stopServers();
  }
}

/** A run with an error is no figure, with or without `--check`. */
function exitCodeOf(outcomes: readonly NamedOutcome[], check: boolean): number {
  if (outcomes.some(({ invalid }) => invalid !== undefined)) return 1;
  return check && outcomes.some(({ checks = [] }) => checks.some(isFarOff)) ? 1 : 0;
}
