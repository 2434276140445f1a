import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import {
  openPostgresDatabase,
  openPostgresMigrator,
} from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import type { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase, openSqliteReader } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { powerAbove } from '../../src/domain/image/power-above.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPlace,
  SearchSort,
  Timeline,
} from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../../test/support/doubles/staying.ts';
import { addMoreInSql, DISTINCT_WORD, FREQUENT_WORDS } from '../../test/support/fixtures/add-in-sql.ts';
import { sqlPorts } from '../../test/support/fixtures/sql-ports.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import { cpuMsOf } from '../../test/support/servers/process-tree.ts';
import { ownCpuMs } from '../support/own-cpu.ts';
import { type NamedOutcome, type Outcome, outcomeOf, type ScenarioName } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';

const SIZES = [10_000, 100_000];
const FULL_SIZE = 1_000_000;
const PAGE = 50;
const PAGE_OF_WALKS = 500;
const MAX_GROWTH = 1.5;
const RUNS_PER_ROUND = 20;

const UP: SearchSort = { by: 'created', order: 'asc' };
const DOWN: SearchSort = { by: 'created', order: 'desc' };
const TAKEN: SearchSort = { by: 'taken', order: 'desc' };
const RANDOM: SearchSort = { by: 'random', seed: 'bench' };
const [FREQUENT, ALSO_FREQUENT] = FREQUENT_WORDS as [string, string];

interface FilledCatalog {
  readonly size: number;
  readonly search: ImageSearch;
  readonly timeline: Timeline;
  readonly repository: Pick<ObjectionImageRepository, 'findPage'>;
  /** CPU of this process and of the database server. */
  readonly cpuMs: () => number;
  readonly close: () => Promise<void>;
}

type Position = 'first' | 'middle';

interface Listing extends ScenarioName {
  readonly about: string;
  /** Missing: it may grow with the catalog. */
  readonly target?: number;
  readonly read: (catalog: FilledCatalog, position: Position) => Promise<unknown>;
}

const LISTINGS: readonly Listing[] = [
  listing('created', 'all images', UP, () => ({})),
  listing('created-descending', 'all images, newest first', DOWN, () => ({})),
  listing('created-after', 'created after a time in the middle', UP, (size) => ({
    createdAfter: new Date((size / 2) * 1000),
  })),
  {
    name: 'walk',
    about: `walk of all images, page of ${PAGE_OF_WALKS}`,
    target: MAX_GROWTH,
    read: ({ repository, size }, position) =>
      repository.findPage({
        order: 'asc',
        after: position === 'first' ? undefined : size / 2,
        limit: PAGE_OF_WALKS,
      }),
  },
  listing('rare-word', 'a rare word', UP, (size) => ({ words: [`${DISTINCT_WORD}${size / 2}`] })),
  listing('frequent-word', 'a frequent word', UP, () => ({ words: [FREQUENT] })),
  listing('frequent-beginning', 'the beginning of all words', UP, () => ({ words: [DISTINCT_WORD] })),
  listing('two-words', 'two words', UP, () => ({ words: [FREQUENT, ALSO_FREQUENT] })),
  listing('word-tag', 'a word with a tag', UP, () => ({ words: [FREQUENT], tags: ['often'] })),
  listing('one-tag', 'a tag', UP, () => ({ tags: ['often'] })),
  listing('taken', 'by capture time', TAKEN, () => ({})),
  listing('taken-tag', 'by capture time with a tag', TAKEN, () => ({ tags: ['often'] })),
  listing('taken-word', 'by capture time with a word', TAKEN, () => ({ words: [FREQUENT] })),
  listing('random', 'random', RANDOM, () => ({})),
  listing('random-tag', 'random with a tag', RANDOM, () => ({ tags: ['often'] })),
  listing('no-hits', 'words that no image has together', UP, () => ({ words: FREQUENT_WORDS })),
  timelineBy('timeline', 'timeline by month', {}),
  timelineBy('timeline-word', 'timeline by month with a word', { words: [FREQUENT] }),
];

/** CPU time of pages at several sizes of the catalog, without HTTP, which would hide a part of the growth. */
export const finding: Suite = {
  about: 'pages of searches and sorts at ten thousand, a hundred thousand and (--full) a million records',
  scenarios: LISTINGS,
  run: (bench, names) => (bench.options.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, names),
};

function listing(
  name: string,
  about: string,
  sort: SearchSort,
  filterOf: (size: number) => SearchFilter,
): Listing {
  return {
    name,
    about,
    target: MAX_GROWTH,
    read: async ({ search, size }, position) => {
      const after = position === 'first' ? undefined : middleOf(size, sort);
      const { items } = await search.findPage({ filter: filterOf(size), sort, after, limit: PAGE });
      for await (const _ of search.readRecords(items.map(({ item }) => item))) continue;
    },
  };
}

function timelineBy(name: string, about: string, filter: SearchFilter): Listing {
  return { name, about, read: ({ timeline }) => timeline.periods('month', filter, AT_ONCE) };
}

async function* runOnSqlite(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  yield* runAll(bench, names, async (size) => {
    const path = join(await bench.makeFolder(`${size}`), 'catalog.sqlite');
    const knex = openSqliteDatabase(path);
    await migrate(knex, migrationSource);
    await addMoreInSql(knex, size);
    await knex.destroy();
    return catalogOf(size, openSqliteReader(path), ownCpuMs);
  });
}

async function* runOnPostgres(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new MissingPrerequisite('There is no Postgres server for this machine');
  try {
    yield* runAll(bench, names, async (size) => {
      const { connection } = await server.newCatalog();
      const knex = openPostgresMigrator(connection);
      await addMoreInSql(knex, size);
      await knex.destroy();
      return catalogOf(size, openPostgresDatabase(connection), () => ownCpuMs() + cpuMsOf(server.pid));
    });
  } finally {
    server.remove();
  }
}

function catalogOf(size: number, knex: Knex, cpuMs: () => number): FilledCatalog {
  const { search, timeline, images } = sqlPorts(knex, { clock: new SystemClock() });
  return {
    size,
    search: search.in(COMMON_SPACE),
    timeline: timeline.in(COMMON_SPACE),
    repository: images,
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
  const { full, records } = bench.options;
  const sizes = [...SIZES, ...(full ? [FULL_SIZE] : []), ...(records === undefined ? [] : [records])];
  for (const size of sizes) catalogs.push(await fill(size));
  for (const one of LISTINGS) {
    if (names.includes(one.name)) yield await outcomeOf(one.name, () => growthOf(bench, one, catalogs));
  }
  for (const catalog of catalogs) await catalog.close();
}

/** Of the largest catalog to the one before it. */
async function growthOf(
  bench: Workbench,
  { about, target, read }: Listing,
  catalogs: readonly FilledCatalog[],
): Promise<Outcome> {
  const outcomes = [];
  for (const position of ['first', 'middle'] as const) {
    const medians = await interleaved(
      bench,
      catalogs,
      async (catalog) => void (await read(catalog, position)),
    );
    const notes = catalogs.map(({ size }, at) => ({
      what: `${about}, ${position} page, ${size} records: CPU`,
      measured: medians[at] ?? 0,
      unit: 'ms',
    }));
    const [larger, largest] = catalogs.slice(-2).map(({ size }) => size);
    const measured = (medians.at(-1) ?? 0) / (medians.at(-2) ?? 1);
    const what = `${about}: CPU of the ${position} page at ${largest} records to CPU at ${larger}`;
    const checks = target === undefined ? [] : [{ what, measured, bound: 'at most' as const, target }];
    outcomes.push({ notes, checks });
  }
  return {
    notes: outcomes.flatMap(({ notes }) => notes),
    checks: outcomes.flatMap(({ checks }) => checks),
  };
}

/** Medians over the rounds of the CPU time of a call, for each catalog. */
async function interleaved(
  bench: Workbench,
  catalogs: readonly FilledCatalog[],
  call: (catalog: FilledCatalog) => Promise<void>,
): Promise<readonly number[]> {
  const costs: number[][] = catalogs.map(() => []);
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [at, catalog] of catalogs.entries()) {
      const before = catalog.cpuMs();
      for (let run = 0; run < RUNS_PER_ROUND; run += 1) await call(catalog);
      if (round > 0) costs[at]?.push((catalog.cpuMs() - before) / RUNS_PER_ROUND);
    }
  }
  return costs.map(median);
}

function middleOf(size: number, sort: SearchSort): SearchPlace {
  const id = size / 2;
  if (sort.by === 'created') return { by: 'created', id };
  if (sort.by === 'taken') return { by: 'taken', time: id * 1000, id };
  const power = powerAbove(size);
  return { by: 'random', power, position: 2 ** (power - 1) };
}
