import type { Space } from '../../src/domain/space/space.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import type { Subject } from '../support/compare.ts';
import { type Catalog, fillCatalog, fillPostgresCatalog } from '../support/fill-catalog.ts';
import { SUBJECT } from '../support/load-token.ts';
import { costNotes, interleavedCosts, type RequestCost } from '../support/rounds.ts';
import { type Check, type NamedOutcome, type Outcome, outcomeOf } from '../support/scenario.ts';
import { WITHOUT_PRERENDERING } from '../support/server.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';
import { fullListing } from './full-listing.ts';
import { type FilledService, SPACE_TASKS, TASKS, type Task } from './scale-tasks.ts';

const SIZES = [1_000, 100_000];
const FULL_SIZE = 1_000_000;
const FULL_LISTING = { name: 'full-listing' };
/** In catalogs with spaces, the caller's has this many images, each other one. */
const OWN_IMAGES = 1_000;
const NUMBERS_OF_SPACES = [1, 1_000, 100_000];

/** CPU time and throughput at several sizes of the catalog. */
export const scale: Suite = {
  about:
    'requests at a thousand, a hundred thousand and (--full) a million records and at 1 to 100,000 spaces (SQLite)',
  scenarios: [FULL_LISTING, ...TASKS, ...SPACE_TASKS],
  run: (bench, names) => (bench.options.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, names),
};

async function* runOnSqlite(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  if ([FULL_LISTING, ...TASKS].some(({ name }) => names.includes(name))) yield* runOnRecords(bench, names);
  if (SPACE_TASKS.some(({ name }) => names.includes(name))) yield* runOnSpaces(bench, names);
}

async function* runOnRecords(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const catalogs = await fillAll(bench, fillCatalog);
  const largest = catalogs.at(-1);
  // Before the tasks, which also delete.
  if (largest !== undefined && names.includes(FULL_LISTING.name)) {
    yield await outcomeOf(FULL_LISTING.name, () => fullListing(bench, largest));
  }
  yield* runTasks(bench, TASKS, await startAll(bench, catalogs, []), names);
}

async function* runOnSpaces(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  await bench.stopServers();
  const services: FilledService[] = [];
  for (const spaces of NUMBERS_OF_SPACES) {
    const folder = await bench.makeFolder(`${spaces}-spaces`);
    const catalog = await fillCatalog(folder, spaces - 1 + OWN_IMAGES, {
      spaceOf: (id) => (id < spaces ? `space-${id}` : SUBJECT) as Space,
    });
    const env = { SPACE_CLAIM: 'sub', ...WITHOUT_PRERENDERING };
    services.push({ catalog, server: await bench.startService(folder, { env }), spaces });
  }
  yield* runTasks(bench, SPACE_TASKS, services, names);
}

/** The server has the settings of the tests: little memory, and no durability. */
async function* runOnPostgres(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new MissingPrerequisite('There is no Postgres server for this machine');
  try {
    const catalogs = await fillAll(bench, (folder, size) => fillPostgresCatalog(server, folder, size));
    yield* runTasks(bench, TASKS, await startAll(bench, catalogs, [server.pid]), names);
  } finally {
    await bench.stopServers();
    server.remove();
  }
}

async function startAll(
  bench: Workbench,
  catalogs: readonly Catalog[],
  helpers: readonly number[],
): Promise<readonly FilledService[]> {
  const services: FilledService[] = [];
  for (const catalog of catalogs) {
    const server = await bench.startService(catalog.folder, {
      env: { ...catalog.env, ...WITHOUT_PRERENDERING },
    });
    services.push({ catalog, server: { ...server, helpers } });
  }
  return services;
}

async function* runTasks(
  bench: Workbench,
  tasks: readonly Task[],
  services: readonly FilledService[],
  names: readonly string[],
): AsyncGenerator<NamedOutcome> {
  for (const task of tasks) {
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
  /** Records or spaces. */
  readonly size: number;
  readonly of: 'records' | 'spaces';
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
  const figures = costs.map((cost, at) => ({ ...sizeOf(services[at]), ...cost }));
  return {
    figures,
    notes: figures.flatMap((figure) => costNotes(`${task.about}, ${figure.size} ${figure.of}`, figure)),
    checks: checksOf(task, figures),
  };
}

function sizeOf(service: FilledService | undefined): Pick<SizeCost, 'size' | 'of'> {
  const { spaces, catalog } = service ?? {};
  return spaces === undefined ? { size: catalog?.size ?? 0, of: 'records' } : { size: spaces, of: 'spaces' };
}

/** Compares CPU time, which is steadier than throughput. */
function checksOf({ about, target }: Task, figures: readonly SizeCost[]): readonly Check[] {
  const [first, last] = [figures[0], figures.at(-1)];
  if (target === undefined || first === undefined || last === undefined) return [];
  const measured = last.cpuMsPerRequest / first.cpuMsPerRequest;
  const what = `${about}: CPU at ${last.size} ${last.of} to CPU at ${first.size}`;
  return [{ what, measured, bound: 'at most', target }];
}
