import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { fullListing } from './scenarios/full-listing.ts';
import { type Filled, TASKS, type Task } from './scenarios/scale.ts';
import { type Catalog, fillCatalog, fillPostgresCatalog } from './support/fill-catalog.ts';
import { describeMachine } from './support/machine.ts';
import { measure, type Run } from './support/measure.ts';
import { reportOf } from './support/report.ts';
import { lineOf, writeResults } from './support/results.ts';
import { type Check, isFarOff, type Outcome } from './support/scenario.ts';
import { median } from './support/statistics.ts';
import { Workbench } from './support/workbench.ts';

const USAGE = `Measures what requests cost as the catalog grows. Needs Linux (reads /proc).

  --on sqlite|postgres  where the records are, default sqlite; the time of Postgres counts as well
  --full       with a million records, too
  --rounds N   interleaved rounds, default 3
  --quick      short runs
  --json FILE  where the figures go, default bench/results/scale-<time>.json
  --check      exit 1 where a figure is worse than its target by more than the factor 2`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      on: { type: 'string', default: 'sqlite' },
      full: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help || !(rounds >= 1) || !isEngine(values.on)) {
    console.error(USAGE);
    return values.help ? 0 : 64;
  }
  const machine = describeMachine();
  console.log(`${lineOf(machine)}\n`);
  const bench = await Workbench.set({ rounds, quick: values.quick });
  try {
    const sizes = values.full ? [1_000, 100_000, 1_000_000] : [1_000, 100_000];
    const outcomes = await (values.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, sizes);
    await writeResults('scale', values.json, { machine, options: values, outcomes });
    return values.check && outcomes.some(({ checks = [] }) => checks.some(isFarOff)) ? 1 : 0;
  } finally {
    await bench.clear();
  }
}

type NamedOutcome = Outcome & { readonly name: string; readonly figures?: readonly Figure[] };

function isEngine(name: string): name is 'sqlite' | 'postgres' {
  return name === 'sqlite' || name === 'postgres';
}

async function runOnSqlite(bench: Workbench, sizes: readonly number[]): Promise<readonly NamedOutcome[]> {
  const catalogs = await fillAll(bench, sizes, fillCatalog);
  const outcomes: NamedOutcome[] = [];
  // The full listing comes first: the tasks also delete.
  const largest = catalogs.at(-1);
  if (largest !== undefined)
    outcomes.push(reported({ name: 'full listing', ...(await fullListing(bench, largest)) }));
  return [...outcomes, ...(await runTasks(bench, catalogs, []))];
}

/** On a server whose settings are those of the tests: small in memory, and quick because nothing must survive a power cut. */
async function runOnPostgres(bench: Workbench, sizes: readonly number[]): Promise<readonly NamedOutcome[]> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new Error('There is no Postgres server for this machine');
  try {
    const fill = (folder: string, size: number): Promise<Catalog> =>
      fillPostgresCatalog(server, folder, size);
    return await runTasks(bench, await fillAll(bench, sizes, fill), [server.pid]);
  } finally {
    await bench.stopServers();
    server.remove();
  }
}

async function runTasks(
  bench: Workbench,
  catalogs: readonly Catalog[],
  helpers: readonly number[],
): Promise<readonly NamedOutcome[]> {
  const filled: Filled[] = [];
  for (const catalog of catalogs) {
    const server = await bench.startService(catalog.folder, { env: catalog.env });
    filled.push({ catalog, server: { ...server, helpers } });
  }
  const outcomes: NamedOutcome[] = [];
  for (const task of TASKS) outcomes.push(reported(await growthOf(bench, task, filled)));
  return outcomes;
}

function reported(outcome: NamedOutcome): NamedOutcome {
  console.log(reportOf(outcome));
  return outcome;
}

async function fillAll(
  bench: Workbench,
  sizes: readonly number[],
  fill: (folder: string, size: number) => Promise<Catalog>,
): Promise<readonly Catalog[]> {
  const catalogs: Catalog[] = [];
  for (const size of sizes) {
    const begun = performance.now();
    catalogs.push(await fill(await bench.makeFolder(`${size}`), size));
    console.log(`${size} records inserted in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  return catalogs;
}

/** What a task costs at one size. */
interface Figure {
  readonly size: number;
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
}

/** Rounds over all sizes, one after the other; the first one is for warming up. */
async function growthOf(bench: Workbench, task: Task, filled: readonly Filled[]): Promise<NamedOutcome> {
  const runs = filled.map((): Run[] => []);
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [at, one] of filled.entries()) {
      const run = await measure(bench.generator, one.server, await task.job(bench, one, round));
      if (round > 0) runs[at]?.push(run);
    }
  }
  const figures = filled.map(({ catalog }, at) => figureOf(catalog.size, runs[at] ?? []));
  return {
    name: task.name,
    figures,
    notes: figures.flatMap((f) => notesOf(task, f)),
    checks: checksOf(task, figures),
  };
}

function figureOf(size: number, runs: readonly Run[]): Figure {
  return {
    size,
    cpuMsPerRequest: median(runs.map((run) => run.cpuMsPerRequest)),
    requestsPerSecond: median(runs.map((run) => run.requestsPerSecond)),
  };
}

function notesOf(
  { name }: Task,
  { size, cpuMsPerRequest, requestsPerSecond }: Figure,
): NonNullable<Outcome['notes']> {
  return [
    { what: `${name}, ${size} records: CPU`, measured: cpuMsPerRequest, unit: 'ms' },
    { what: `${name}, ${size} records: throughput`, measured: requestsPerSecond, unit: 'requests/s' },
  ];
}

/** By the CPU time, which is steadier than the throughput. */
function checksOf({ name, target }: Task, figures: readonly Figure[]): readonly Check[] {
  const [first, last] = [figures[0], figures.at(-1)];
  if (target === undefined || first === undefined || last === undefined) return [];
  const measured = last.cpuMsPerRequest / first.cpuMsPerRequest;
  const what = `${name}: cost at ${last.size} records to that at ${first.size}`;
  return [{ what, measured, bound: 'at most', target }];
}
