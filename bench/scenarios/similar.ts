import { join } from 'node:path';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { CatalogDatabase } from '../../src/adapters/sql/database/catalog-database.ts';
import type { OpenDatabase } from '../../src/adapters/sql/database/database-location.ts';
import { POSTGRES } from '../../src/adapters/sql/postgres/postgres-location.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { SqlImageSearch } from '../../src/adapters/sql/search/sql-image-search.ts';
import { SqlCopyCandidates } from '../../src/adapters/sql/similar/sql-copy-candidates.ts';
import { SqlSimilarImages } from '../../src/adapters/sql/similar/sql-similar-images.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SQLITE } from '../../src/adapters/sql/sqlite/sqlite-location.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { COPIES_LIMITS } from '../../src/application/find/copies-limits.ts';
import { FindCopies } from '../../src/application/find/find-copies.ts';
import { DEFAULT_DISTANCE, DEFAULT_SIMILAR, FindSimilar } from '../../src/application/find/find-similar.ts';
import type { PerceptualHash } from '../../src/domain/image/image-hashes.ts';
import type { SearchPlace } from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CALLER, newSearches } from '../../test/support/doubles/staying.ts';
import { flipped } from '../../test/support/fixtures/image-hashes.ts';
import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';
import { sqlPorts } from '../../test/support/fixtures/sql-ports.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import { cpuMsOf } from '../../test/support/servers/process-tree.ts';
import { MadeSet } from '../../test/support/similar/made-set.ts';
import { fillCatalog, fillPostgresCatalog } from '../support/fill-catalog.ts';
import { type HashModel, hashesOf, randomHash, skewedHash } from '../support/hash-models.ts';
import { ownCpuMs } from '../support/own-cpu.ts';
import { type NamedOutcome, type Outcome, outcomeOf, type ScenarioName } from '../support/scenario.ts';
import { percentile } from '../support/statistics.ts';
import { MissingPrerequisite, type Suite } from '../support/suite.ts';
import type { Workbench } from '../support/workbench.ts';

const SIZE = 100_000;
const FULL_SIZE = 1_000_000;
const SCENES = 60;
const FULL_SCENES = 500;
const QUERIES = 200;
const BATCH = 10_000;
const POOL_MAX = 2;
/** Every so many images, one is a copy of the image before it. */
const COPY_EVERY = 100;
/** Of a copy, as measured. */
const COPY_BITS = 7;
const MAX_P95_MS = 15;
const DISTANCES = [0, 7, 12, 16];

/** Of the connection that fills the catalog: hashes arrive in random order. */
const FOR_SPEED = ['pragma synchronous = off', 'pragma cache_size = -500000'];

const MADE_SET = { name: 'made-set' };

interface Catalogs extends ScenarioName {
  readonly about: string;
  readonly model: HashModel;
}

const CATALOGS: readonly Catalogs[] = [
  { name: 'random-hashes', about: 'random hashes', model: randomHash },
  { name: 'skewed-hashes', about: 'skewed hashes', model: skewedHash },
];

const EQUAL_HASHES: Catalogs = {
  name: 'equal-hashes',
  about: 'equal hashes',
  model: () => [0x5a5a, 0x33cc, 0x0f0f, 0x5566],
};

/** Of a walk through all copies. */
const COPY_PAGES = 40;

/** All but HTTP. */
export const similarImages: Suite = {
  about: 'look-alikes of made pictures, and among a hundred thousand and (--full) a million records',
  scenarios: [MADE_SET, ...CATALOGS, EQUAL_HASHES],
  run: (bench, names) => (bench.options.on === 'postgres' ? runOnPostgres : runOnSqlite)(bench, names),
};

interface OpenCatalog {
  readonly database: OpenDatabase;
  /** CPU of this process and of the database server. */
  readonly cpuMs: () => number;
}

async function* runOnSqlite(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  if (names.includes(MADE_SET.name)) yield await outcomeOf(MADE_SET.name, () => madeSet(bench));
  yield* runAll(bench, names, async (size) => {
    const { folder } = await fillCatalog(await bench.makeFolder('records'), size);
    const database = SQLITE.url.parse(`sqlite:${join(folder, 'catalog.sqlite')}`).open(1);
    for (const pragma of FOR_SPEED) await database.knex.raw(pragma);
    return { database, cpuMs: ownCpuMs };
  });
}

async function* runOnPostgres(bench: Workbench, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  const server = await PostgresServer.startOwn();
  if (server === undefined) throw new MissingPrerequisite('There is no Postgres server for this machine');
  try {
    yield* runAll(bench, names, async (size) => {
      const { env } = await fillPostgresCatalog(server, await bench.makeFolder('records'), size);
      const database = POSTGRES.url.parse(env['DATABASE_URL']).open(POOL_MAX);
      return { database, cpuMs: () => ownCpuMs() + cpuMsOf(server.pid) };
    });
  } finally {
    server.remove();
  }
}

async function* runAll(
  bench: Workbench,
  names: readonly string[],
  fill: (size: number) => Promise<OpenCatalog>,
): AsyncGenerator<NamedOutcome> {
  const size = bench.options.full ? FULL_SIZE : SIZE;
  for (const catalogs of [...CATALOGS, EQUAL_HASHES]) {
    if (!names.includes(catalogs.name)) continue;
    const catalog = await fill(size);
    try {
      const measure = catalogs === EQUAL_HASHES ? copies : searches;
      yield await outcomeOf(catalogs.name, () => measure(catalog, catalogs, size));
    } finally {
      await catalog.database.close();
    }
  }
}

async function searches(
  { database, cpuMs }: OpenCatalog,
  { about, model }: Catalogs,
  size: number,
): Promise<Outcome> {
  const catalog = new CatalogDatabase(database);
  const found = new SqlSimilarImages(catalog);
  const images = new ObjectionImageRepository(catalog, new SystemClock());
  const findSimilar = new FindSimilar(images, found, newSearches());
  await addHashes(found, model, size);
  await settle(database.knex);
  // The first searches read from the disk.
  await timed(findSimilar, cpuMs, size, DEFAULT_DISTANCE);
  const what = `look-alikes among ${size} ${about}`;
  const { p95, median, cpu, copiesFound } = await timed(findSimilar, cpuMs, size, DEFAULT_DISTANCE);
  const notes = [
    { what: `${what}, distance ${DEFAULT_DISTANCE}: median`, measured: median, unit: 'ms' },
    { what: `${what}, distance ${DEFAULT_DISTANCE}: CPU`, measured: cpu, unit: 'ms' },
  ];
  for (const distance of DISTANCES) {
    const at = await timed(findSimilar, cpuMs, size, distance);
    notes.push({ what: `${what}, distance ${distance}: p95`, measured: at.p95, unit: 'ms' });
    notes.push({ what: `${what}, distance ${distance}: CPU`, measured: at.cpu, unit: 'ms' });
  }
  notes.push(...(await copiesOf({ database, cpuMs }, about, size)));
  return {
    notes,
    checks: [
      { what: `${what}: p95`, measured: p95, bound: 'at most', target: MAX_P95_MS, unit: 'ms' },
      { what: `${what}: copies found`, measured: copiesFound, bound: 'at least', target: 0.98 },
    ],
  };
}

async function copies(catalog: OpenCatalog, { about, model }: Catalogs, size: number): Promise<Outcome> {
  await addHashes(new SqlSimilarImages(new CatalogDatabase(catalog.database)), model, size);
  await settle(catalog.database.knex);
  return { checks: [], notes: await copiesOf(catalog, about, size) };
}

async function copiesOf(
  { database, cpuMs }: OpenCatalog,
  about: string,
  size: number,
): Promise<NonNullable<Outcome['notes']>> {
  const catalog = new CatalogDatabase(database);
  const images = new SqlImageSearch(catalog);
  const findCopies = new FindCopies(images, new SqlCopyCandidates(catalog), newSearches());
  const [costs, sizes]: [number[], number[]] = [[], []];
  let after: SearchPlace | undefined;
  do {
    const before = cpuMs();
    let groups = 0;
    for await (const { items, next } of findCopies.page(
      COMMON_SPACE,
      { after, limit: COPIES_LIMITS.groups },
      CALLER,
    )) {
      groups += items.length;
      after = next;
    }
    costs.push(cpuMs() - before);
    sizes.push(groups);
  } while (after !== undefined && costs.length < COPY_PAGES);
  const what = `copies among ${size} ${about}`;
  return [
    { what: `${what}: pages${after === undefined ? '' : ' of more'}`, measured: costs.length, unit: '' },
    { what: `${what}: groups`, measured: sizes.reduce((sum, groups) => sum + groups, 0), unit: '' },
    { what: `${what}: CPU of a page, median`, measured: percentile(costs, 0.5), unit: 'ms' },
    { what: `${what}: CPU of the dearest page`, measured: Math.max(...costs), unit: 'ms' },
  ];
}

/** Every `COPY_EVERY`th image is a copy of the one before it. */
async function addHashes(hashes: SqlSimilarImages, model: HashModel, size: number): Promise<void> {
  const next = hashesOf(model, 1);
  const random = randomNumbers(2);
  let last = next();
  for (let first = 1; first <= size; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - first + 1) }, (_, index) => {
      last = (first + index) % COPY_EVERY === 0 ? copyOf(last, random) : next();
      return [first + index, { dHash: last, pHash: last, meanColour: [0, 0, 0] }] as const;
    });
    await hashes.record(new Map(batch));
  }
}

function copyOf(hash: PerceptualHash, random: () => number): PerceptualHash {
  const bits = Array.from({ length: Math.floor(random() * (COPY_BITS + 1)) }, () =>
    Math.floor(random() * 64),
  );
  return flipped(hash, bits);
}

/** Otherwise checkpoints and autovacuum would run during the measurement. */
async function settle(knex: Knex): Promise<void> {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  const isPostgres = client.driverName === 'pg';
  await knex.raw(isPostgres ? 'vacuum analyze image_appearances' : 'pragma wal_checkpoint(truncate)');
}

interface Searches {
  /** Milliseconds. */
  readonly p95: number;
  readonly median: number;
  /** Of one search. */
  readonly cpu: number;
  readonly copiesFound: number;
}

/** Of images that have a copy. */
async function timed(
  findSimilar: FindSimilar,
  cpuMs: () => number,
  size: number,
  distance: number,
): Promise<Searches> {
  const random = randomNumbers(3);
  const times: number[] = [];
  let copies = 0;
  const before = cpuMs();
  for (let query = 0; query < QUERIES; query += 1) {
    const copy = (1 + Math.floor(random() * (size / COPY_EVERY))) * COPY_EVERY;
    const begun = performance.now();
    const found = await findSimilar.execute(
      COMMON_SPACE,
      copy - 1,
      { distance, limit: DEFAULT_SIMILAR },
      CALLER,
    );
    times.push(performance.now() - begun);
    const isFull = found.length === DEFAULT_SIMILAR && (found.at(-1)?.distance ?? 0) <= COPY_BITS;
    if (isFull || found.some(({ image }) => image.id === copy)) copies += 1;
  }
  return {
    p95: percentile(times, 0.95),
    median: percentile(times, 0.5),
    cpu: (cpuMs() - before) / QUERIES,
    copiesFound: copies / QUERIES,
  };
}

async function madeSet(bench: Workbench): Promise<Outcome> {
  const knex = openSqliteDatabase(join(await bench.makeFolder('pictures'), 'catalog.sqlite'));
  try {
    await migrate(knex, migrationSource);
    const images = sqlPorts(knex, { clock: new SystemClock() }).images;
    const findSimilar = new FindSimilar(images, sqlPorts(knex).similarImages, newSearches());
    const scenes = bench.options.full ? FULL_SCENES : SCENES;
    const quality = await new MadeSet({ images: images.in(COMMON_SPACE), findSimilar }).judge(scenes);
    const share = (what: string, measured: number): { what: string; measured: number; unit: string } => ({
      what: `${scenes} scenes: ${what}`,
      measured,
      unit: '',
    });
    return {
      checks: [
        { what: 'copies found as copies', measured: quality.copiesFound, bound: 'at least', target: 0.98 },
        {
          what: 'shots of a series called copies',
          measured: quality.burstsCalledCopies,
          bound: 'at most',
          target: 0.01,
        },
        { what: 'plain colours matched', measured: quality.flatMatched, bound: 'exactly', target: 0 },
      ],
      notes: [
        ...[...quality.foundByCopy].map(([copy, found]) => share(`copies found, ${copy}`, found)),
        share('found if 5 % are gone', quality.croppedFound),
        share('other light called copies', quality.otherLightCalledCopies),
        share('other scenes called copies', quality.strangersCalledCopies),
      ],
    };
  } finally {
    await knex.destroy();
  }
}
