import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import type { Subject } from '../support/compare.ts';
import { type Catalog, fillCatalog, fillPostgresCatalog } from '../support/fill-catalog.ts';
import { costNotes, interleavedCosts, type RequestCost } from '../support/rounds.ts';
import { type Check, type NamedOutcome, type Outcome, outcomeOf } from '../support/scenario.ts';
import { WITHOUT_PRERENDERING } from '../support/server.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';
import { fullListing } from './full-listing.ts';
import { type FilledService, TASKS, type Task } from './scale-tasks.ts';

const SIZES = [1_000, 100_000];
const FULL_SIZE = 1_000_000;
const FULL_LISTING = { name: 'full-listing' };

/** CPU time and throughput at several sizes of the catalog. */
export const scale: Suite = {
  about: 'requests at a thousand, a hundred thousand and (--full) a million records',
  scenarios: [FULL_LISTING, ...TASKS],
  run: (bench, names) => (bench.options.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, names),
};

async function* runOnSqlite(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const catalogs = await fillAll(bench, fillCatalog);
  const largest = catalogs.at(-1);
  // Before the tasks, which also delete.
  if (largest !== undefined && names.includes(FULL_LISTING.name)) {
    yield await outcomeOf(FULL_LISTING.name, () => fullListing(bench, largest));
  }
  yield* runTasks(bench, catalogs, [], names);
}

/** The server has the settings of the tests: little memory, and no durability. */
async function* runOnPostgres(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new MissingPrerequisite('There is no Postgres server for this machine');
  try {
    const catalogs = await fillAll(bench, (folder, size) => fillPostgresCatalog(server, folder, size));
    yield* runTasks(bench, catalogs, [server.pid], names);
  } finally {
    await bench.stopServers();
    server.remove();
  }
}

async function* runTasks(
  bench: Workbench,
  catalogs: readonly Catalog[],
  helpers: readonly number[],
  names: readonly string[],
): AsyncGenerator<NamedOutcome> {
  const services: FilledService[] = [];
  for (const catalog of catalogs) {
    const server = await bench.startService(catalog.folder, {
      env: { ...catalog.env, ...WITHOUT_PRERENDERING },
    });
    services.push({ catalog, server: { ...server, helpers } });
  }
  for (const task of TASKS) {
    if (names.includes(task.name)) yield await outcomeOf(task.name, () => growthOf(bench, task, services));
  }
}

async function fillAll(
  bench: Workbench,
  fill: (folder: string, size: number) => Promise<Catalog>,
): Promise<readonly Catalog[]> {
  const catalogs: Catalog[] = [];
  for (const size of bench.options.full ? [...SIZES, FULL_SIZE] : SIZES) {
    const begun = performance.now();
    catalogs.push(await fill(await bench.makeFolder(`${size}`), size));
    console.log(`${size} records inserted in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  return catalogs;
}

interface SizeCost extends RequestCost {
  /** Records. */
  readonly size: number;
}

/** @returns the costs at each size as `figures`, which are written to the JSON */
async function growthOf(
  bench: Workbench,
  task: Task,
  services: readonly FilledService[],
): Promise<Outcome & { readonly figures: readonly SizeCost[] }> {
  const subjectsOf = (round: number): Promise<readonly Subject[]> =>
    Promise.all(
      services.map(async (service) => ({
        server: service.server,
        job: await task.job(bench, service, round),
      })),
    );
  const costs = await interleavedCosts(bench, subjectsOf);
  const figures = costs.map((cost, at) => ({ size: services[at]?.catalog.size ?? 0, ...cost }));
  return {
    figures,
    notes: figures.flatMap((figure) => costNotes(`${task.about}, ${figure.size} records`, figure)),
    checks: checksOf(task, figures),
  };
}

/** Compares CPU time, which is steadier than throughput. */
function checksOf({ about, target }: Task, figures: readonly SizeCost[]): readonly Check[] {
  const [first, last] = [figures[0], figures.at(-1)];
  if (target === undefined || first === undefined || last === undefined) return [];
  const measured = last.cpuMsPerRequest / first.cpuMsPerRequest;
  const what = `${about}: CPU at ${last.size} records to CPU at ${first.size}`;
  return [{ what, measured, bound: 'at most', target }];
}
