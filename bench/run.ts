import { type BenchOptions, parseOptions, USAGE, UsageError } from './options.ts';
import { SUITES } from './suites.ts';
import { describeMachine } from './support/machine.ts';
import { reportOf, TABLE_HEAD } from './support/report.ts';
import { lineOf, writeResults } from './support/results.ts';
import { isBeyondLimit, type NamedOutcome } from './support/scenario.ts';
import { MissingPrerequisite, type Suite } from './support/suite.ts';
import { Workbench } from './support/workbench.ts';

// Exit codes of sysexits(3).
const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(args);
    if (!options.help) return await measureAll(options);
    console.log(USAGE);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${USAGE}`);
      return EX_USAGE;
    }
    if (!(error instanceof MissingPrerequisite)) throw error;
    console.error(error.message);
    return EX_UNAVAILABLE;
  }
}

async function measureAll(options: BenchOptions): Promise<number> {
  const machine = describeMachine();
  console.log(`${lineOf(machine)}\n`);
  const outcomes = await outcomesOf(options);
  await writeResults(options.suite, options.json, { machine, options, outcomes });
  return exitCodeOf(outcomes, options.check);
}

async function outcomesOf(options: BenchOptions): Promise<readonly NamedOutcome[]> {
  const suite: Suite = SUITES[options.suite];
  const bench = await Workbench.prepare(options);
  const outcomes: NamedOutcome[] = [];
  try {
    for await (const outcome of suite.run(bench, options.scenarios)) {
      if (isCompared(outcome) && !outcomes.some(isCompared)) console.log(TABLE_HEAD);
      console.log(reportOf(outcome));
      outcomes.push(outcome);
    }
  } finally {
    await bench.clear();
  }
  return outcomes;
}

function isCompared({ comparisons }: NamedOutcome): boolean {
  return comparisons !== undefined;
}

/** An invalid outcome fails with and without `--check`. */
function exitCodeOf(outcomes: readonly NamedOutcome[], check: boolean): number {
  if (outcomes.some(({ invalid }) => invalid !== undefined)) return 1;
  return check && outcomes.some(({ checks = [] }) => checks.some(isBeyondLimit)) ? 1 : 0;
}
