import { join } from 'node:path';
import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { SqlImageSearch } from '../../src/adapters/sql/search/sql-image-search.ts';
import { SqlTimeline } from '../../src/adapters/sql/search/sql-timeline.ts';
import { openSqliteReader } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { powerAbove } from '../../src/domain/image/shuffle.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { searchWords } from '../../src/domain/image/words/words.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPlace,
  SearchSort,
  Timeline,
} from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { readsOf } from '../../test/support/doubles/finding-ports.ts';
import { AT_ONCE } from '../../test/support/doubles/staying.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import { cpuMsOf } from '../../test/support/servers/process-tree.ts';
import { fillCatalog, fillPostgresCatalog } from '../support/fill-catalog.ts';
import { ownCpuMs } from '../support/own-cpu.ts';
import { type NamedOutcome, type Outcome, outcomeOf, type ScenarioName } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';

const SIZES = [1_000, 100_000];
const FULL_SIZE = 1_000_000;
const PAGE = 50;
const MAX_GROWTH = 1.5;
const RUNS_PER_ROUND = 40;

const CREATED: SearchSort = { by: 'created', order: 'asc' };
const TAKEN: SearchSort = { by: 'taken', order: 'desc' };
const RANDOM: SearchSort = { by: 'random', seed: 'bench' };

interface FilledCatalog {
  readonly size: number;
  readonly search: ImageSearch;
  readonly timeline: Timeline;
  /** CPU of this process and of the database server. */
  readonly cpuMs: () => number;
  readonly close: () => Promise<void>;
}

interface Listing extends ScenarioName {
  readonly about: string;
  readonly sort: SearchSort;
  readonly filterOf: (size: number) => SearchFilter;
}

const LISTINGS: readonly Listing[] = [
  listing('rare-word', 'a rare word', CREATED, (size) => words(String(Math.ceil(size / 2)))),
  listing('frequent-word', 'a frequent word', CREATED, () => words('holiday')),
  listing('frequent-beginning', 'the beginning of many words', CREATED, () => words('1')),
  listing('two-words', 'two words', CREATED, () => words('beach evening')),
  listing('one-tag', 'a tag', CREATED, () => ({ tags: ['often'] })),
  listing('two-tags', 'two tags', CREATED, () => ({ tags: ['often', 'also'] })),
  listing('taken', 'by capture time', TAKEN, () => ({})),
  listing('taken-tag', 'by capture time with a tag', TAKEN, () => ({ tags: ['often'] })),
  listing('taken-word', 'by capture time with a word', TAKEN, () => words('beach')),
  listing('random', 'random', RANDOM, () => ({})),
  listing('random-tag', 'random with a tag', RANDOM, () => ({ tags: ['often'] })),
];
const TIMELINE = { name: 'timeline' };

/** CPU time of pages at several sizes of the catalog, without HTTP, which would hide a part of the growth. */
export const finding: Suite = {
  about: 'pages of searches and sorts at a thousand, a hundred thousand and (--full) a million records',
  scenarios: [...LISTINGS, TIMELINE],
  run: (bench, names) => (bench.options.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, names),
};

function listing(
  name: string,
  about: string,
  sort: SearchSort,
  filterOf: (size: number) => SearchFilter,
): Listing {
  return { name, about, sort, filterOf };
}

function words(text: string): SearchFilter {
  return { words: searchWords(text) };
}

async function* runOnSqlite(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  yield* runAll(bench, names, async (size) => {
    const { folder } = await fillCatalog(await bench.makeFolder(`${size}`), size);
    return catalogOf(size, openSqliteReader(join(folder, 'catalog.sqlite')), ownCpuMs);
  });
}

async function* runOnPostgres(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new MissingPrerequisite('There is no Postgres server for this machine');
  try {
    yield* runAll(bench, names, async (size) => {
      const { connection } = await fillPostgresCatalog(server, await bench.makeFolder(`${size}`), size);
      return catalogOf(size, openPostgresDatabase(connection), () => ownCpuMs() + cpuMsOf(server.pid));
    });
  } finally {
    server.remove();
  }
}

function catalogOf(size: number, knex: Knex, cpuMs: () => number): FilledCatalog {
  return {
    size,
    search: new SqlImageSearch(knex, readsOf(knex)).in(COMMON_SPACE),
    timeline: new SqlTimeline(knex, readsOf(knex), new Calendar('UTC')).in(COMMON_SPACE),
    cpuMs,
    close: async () => await knex.destroy(),
  };
}

async function* runAll(
  bench: Workbench,
  names: readonly string[],
  fill: (size: number) => Promise<FilledCatalog>,
): AsyncGenerator<NamedOutcome> {
  const catalogs: FilledCatalog[] = [];
  for (const size of bench.options.full ? [...SIZES, FULL_SIZE] : SIZES) catalogs.push(await fill(size));
  for (const one of LISTINGS) {
    if (names.includes(one.name)) yield await outcomeOf(one.name, () => growthOf(bench, one, catalogs));
  }
  if (names.includes(TIMELINE.name)) {
    yield await outcomeOf(TIMELINE.name, () => timelineCost(bench, catalogs));
  }
  for (const catalog of catalogs) await catalog.close();
}

type Position = 'first' | 'middle';

async function growthOf(
  bench: Workbench,
  { about, sort, filterOf }: Listing,
  catalogs: readonly FilledCatalog[],
): Promise<Outcome> {
  const notes: { what: string; measured: number; unit: string }[] = [];
  const costs = new Map<string, number>();
  for (const position of ['first', 'middle'] as const) {
    const places = catalogs.map(({ size }) => (position === 'first' ? undefined : middleOf(size, sort)));
    const medians = await interleaved(bench, catalogs, async ({ search, size }, at) => {
      await search.findPage({ filter: filterOf(size), sort, after: places[at], limit: PAGE });
    });
    for (const [at, { size }] of catalogs.entries()) {
      costs.set(`${position} ${size}`, medians[at] ?? 0);
      notes.push({
        what: `${about}, ${position} page, ${size} records: CPU`,
        measured: medians[at] ?? 0,
        unit: 'ms',
      });
    }
  }
  const [smallest, largest] = [catalogs[0]?.size ?? 0, catalogs.at(-1)?.size ?? 0];
  const checks = (['first', 'middle'] as const satisfies readonly Position[]).map((position) => ({
    what: `${about}: CPU of the ${position} page at ${largest} records to CPU at ${smallest}`,
    measured: (costs.get(`${position} ${largest}`) ?? 0) / (costs.get(`${position} ${smallest}`) ?? 1),
    bound: 'at most' as const,
    target: MAX_GROWTH,
  }));
  return { notes, checks };
}

async function timelineCost(bench: Workbench, catalogs: readonly FilledCatalog[]): Promise<Outcome> {
  const notes: { what: string; measured: number; unit: string }[] = [];
  for (const period of ['day', 'month', 'year'] as const) {
    const medians = await interleaved(bench, catalogs, async ({ timeline }) => {
      await timeline.periods(period, {}, AT_ONCE);
    });
    for (const [at, { size }] of catalogs.entries()) {
      notes.push({
        what: `timeline by ${period}, ${size} records: CPU`,
        measured: medians[at] ?? 0,
        unit: 'ms',
      });
    }
  }
  return { notes };
}

/** Medians over the rounds of the CPU time of a call, for each catalog. */
async function interleaved(
  bench: Workbench,
  catalogs: readonly FilledCatalog[],
  call: (catalog: FilledCatalog, at: number) => Promise<void>,
): Promise<readonly number[]> {
  const costs: number[][] = catalogs.map(() => []);
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [at, catalog] of catalogs.entries()) {
      const before = catalog.cpuMs();
      for (let run = 0; run < RUNS_PER_ROUND; run += 1) await call(catalog, at);
      if (round > 0) costs[at]?.push((catalog.cpuMs() - before) / RUNS_PER_ROUND);
    }
  }
  return costs.map(median);
}

function middleOf(size: number, sort: SearchSort): SearchPlace {
  const id = Math.ceil(size / 4);
  if (sort.by === 'created') return { by: 'created', id };
  if (sort.by === 'taken') return { by: 'taken', time: Date.UTC(2014, 0, 1), id };
  const power = powerAbove(size);
  return { by: 'random', power, position: 2 ** (power - 1) };
}
