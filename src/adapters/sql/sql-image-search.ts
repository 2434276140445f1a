import type { Knex } from 'knex';
import type { CatalogImage } from '../../domain/image/image.ts';
import { powerAbove, Shuffle } from '../../domain/image/shuffle.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchQuery,
  SearchSort,
  TimeLimit,
} from '../../domain/ports/image-search.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';
import { applyFilter } from './image-filter.ts';
import {
  CATALOG_COLUMNS,
  type CatalogColumns,
  catalogImageFromRow,
  SELECT_CATALOG_IMAGES,
} from './image-row.ts';
import { JOIN_METADATA, METADATA_TABLE } from './metadata-row.ts';
import {
  conditionsOf,
  type RowTest,
  SEARCH_LIMITS,
  type SearchConditions,
  type Source,
  type Stream,
  testOf,
} from './search-sources.ts';
import type { SlowReads } from './slow-reads.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { allOf, type RowReader, readerOf, rowsOf, type SqlFragment, sql } from './sql-fragment.ts';

/** Positions of a shuffled catalog that are looked up at a time. */
const MAX_AT_A_TIME = 4_000;

type OrderedSort = Exclude<SearchSort, { readonly by: 'random' }>;

interface FoundRow extends CatalogColumns {
  readonly taken_sort: number | string | null;
}

/** What a page needs to know of its query. */
interface Page {
  readonly conditions: SearchConditions;
  readonly upToId: number | undefined;
  /** One more than wanted: shows whether there are more. */
  readonly limit: number;
}

const CREATED: Stream = { table: 'images', id: 'images.id', taken: undefined, conditions: [] };
const TAKEN: Stream = {
  table: 'image_metadata',
  id: 'image_metadata.image_id',
  taken: 'image_metadata.taken_sort',
  conditions: [],
};

/**
 * Reads an index in the order of the page if most of its images match, and collects and sorts the hits of another index if it has
 * few. Either way the result is the same, so pages of one listing may differ in this.
 */
export class SqlImageSearch implements ImageSearch {
  private readonly dialect: SqlDialect;

  /** @param reader connections for reading */
  constructor(
    private readonly reader: Knex,
    private readonly slowReads: SlowReads,
    private readonly limits = SEARCH_LIMITS,
  ) {
    this.dialect = dialectOf(reader);
  }

  async findPage({ filter, sort, after, upToId, limit }: SearchQuery): Promise<SearchPage> {
    return await this.translating(async () => {
      if (sort.by === 'created' && isRecordFilter(filter))
        return await this.recordPage({ filter, sort, after, upToId, limit }, sort);
      const conditions = await this.conditionsOf(readerOf(this.reader), filter, sort.by !== 'created');
      if (conditions === undefined) return { images: [], next: undefined };
      const page = { conditions, upToId, limit: limit + 1 };
      if (sort.by === 'random') return await this.shuffledPage(page, sort.seed, after);
      const rows = await this.orderedRows(page, sort, after);
      return pageOf(rows, limit, (row) => placeOf(row, sort));
    });
  }

  async count(filter: SearchFilter, limit: TimeLimit): Promise<number> {
    return await this.translating(() => this.slowReads.run(limit, (reader) => this.total(reader, filter)));
  }

  private async total(reader: RowReader, filter: SearchFilter): Promise<number> {
    const conditions = await this.conditionsOf(reader, filter);
    if (conditions === undefined) return 0;
    const matching = matchingIds(conditions);
    const [row] = await reader.rows<{ readonly total: number | string }>(
      sql(`select count(*) as total from (${matching.sql}) matching`, ...matching.bindings),
    );
    return Number(row?.total);
  }

  private async conditionsOf(
    reader: RowReader,
    filter: SearchFilter,
    needsHits = true,
  ): Promise<SearchConditions | undefined> {
    return await conditionsOf({ reader, dialect: this.dialect, limits: this.limits }, filter, needsHits);
  }

  async highestId(): Promise<number> {
    return await this.translating(() => this.dialect.highestId(this.reader));
  }

  /** Each filter of records has an index in the order of the ids. */
  private async recordPage(
    { filter, after, upToId, limit }: SearchQuery,
    sort: OrderedSort,
  ): Promise<SearchPage> {
    const rows: readonly FoundRow[] = await this.reader('images')
      .select(CATALOG_COLUMNS)
      .leftJoin(METADATA_TABLE, 'image_metadata.image_id', 'images.id')
      .modify((query) => {
        applyFilter(query, filter);
        if (after?.by === 'created') void query.where('id', sort.order === 'asc' ? '>' : '<', after.id);
        if (upToId !== undefined) void query.where('id', '<=', upToId);
      })
      .orderBy('id', sort.order)
      .limit(limit + 1);
    return pageOf(rows, limit, (row) => placeOf(row, sort));
  }

  private async orderedRows(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
  ): Promise<readonly FoundRow[]> {
    const [rarest] = page.conditions.sources;
    const stream = streamFor(rarest, sort);
    if (stream === undefined && rarest !== undefined && rarest.hits <= this.limits.fewHits)
      return await this.collectedRows(page, sort, after);
    const chosen = stream ?? bestStream(page, sort);
    // All hits of the rarest source, sorted, would cost more than those that its stream passes.
    if (chosen === rarest?.stream || testsBeside(page, chosen).length === 0)
      return await this.streamedRows(page, sort, after, chosen);
    const bound = await this.boundOf(page, sort, after, chosen);
    const rows = await this.streamedRows(page, sort, after, chosen, bound);
    if (rows.length === page.limit || bound.length === 0 || rarest === undefined) return rows;
    return await this.collectedRows(page, sort, after);
  }

  /** Where a stream ends after so many rows; none if it is shorter. */
  private async boundOf(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
    stream: Stream,
  ): Promise<readonly SqlFragment[]> {
    const keys = keysOf(stream, sort);
    const where = allOf(streamConditions(page, sort, after, stream));
    const [last] = await rowsOf<Readonly<Record<string, number | string>>>(
      this.reader,
      sql(
        `select ${keys.map((key, at) => `${key} as k${at}`).join(', ')} from ${stream.table}
        where ${where.sql} ${orderBy(keys, sort)} limit 1 offset ${this.limits.tested}`,
        ...where.bindings,
      ),
    );
    if (last === undefined) return [];
    const values = keys.map((_, at) => Number(last[`k${at}`]));
    return [beyond(keys, values, sort.order === 'asc' ? '<' : '>')];
  }

  /** The first rows of an index that pass all tests. */
  private async streamedRows(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
    stream: Stream,
    bound: readonly SqlFragment[] = [],
  ): Promise<readonly FoundRow[]> {
    const where = allOf([
      ...bound,
      ...streamConditions(page, sort, after, stream),
      ...testsBeside(page, stream).map((test) => testOf(test, stream)),
    ]);
    const ids = sql(
      `select ${stream.id} as image_id from ${stream.table} where ${where.sql}
      ${orderBy(keysOf(stream, sort), sort)} limit ?`,
      ...where.bindings,
      page.limit,
    );
    return await this.rowsIn(ids, sort);
  }

  /** All hits of the rarest source that pass the tests, sorted. */
  private async collectedRows(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
  ): Promise<readonly FoundRow[]> {
    const hits = hitsOf(page, sort.by === 'taken');
    const where = allOf([...hits.tests, ...behind(HITS, sort, after)]);
    const ids = sql(
      `select hits.image_id from ${hits.from.sql} where ${where.sql} ${orderBy(keysOf(HITS, sort), sort)} limit ?`,
      ...hits.from.bindings,
      ...where.bindings,
      page.limit,
    );
    return await this.rowsIn(ids, sort);
  }

  /** In the order of the sort. */
  private async rowsIn(ids: SqlFragment, sort: OrderedSort): Promise<readonly FoundRow[]> {
    const stream = sort.by === 'taken' ? TAKEN : CREATED;
    return await rowsOf<FoundRow>(
      this.reader,
      sql(
        `select ${CATALOG_COLUMNS.join(', ')}, image_metadata.taken_sort
        from (${ids.sql}) page cross join images ${JOIN_METADATA}
        where images.id = page.image_id ${orderBy(keysOf(stream, sort), sort)}`,
        ...ids.bindings,
      ),
    );
  }

  private async shuffledPage(page: Page, seed: string, after: SearchPlace | undefined): Promise<SearchPage> {
    const power =
      after?.by === 'random' ? after.power : powerAbove(await this.dialect.highestId(this.reader));
    const begin = after?.by === 'random' ? after.position + 1 : 0;
    const shuffle = new Shuffle(seed, power);
    const ids = (await this.walkedIds(page, shuffle, begin)) ?? (await this.sortedIds(page, shuffle, begin));
    const wanted = ids.slice(0, page.limit - 1);
    const last = wanted.at(-1);
    const hasMore = ids.length === page.limit && last !== undefined;
    return {
      images: await this.imagesOf(wanted),
      next: hasMore ? { by: 'random', power, position: shuffle.positionOf(last) } : undefined,
    };
  }

  /** Looks positions up until the page is full. `undefined` if too few have an image that matches. */
  private async walkedIds(
    page: Page,
    shuffle: Shuffle,
    begin: number,
  ): Promise<readonly number[] | undefined> {
    const [rarest] = page.conditions.sources;
    if (rarest !== undefined && rarest.hits <= this.limits.fewHits) return undefined;
    const found: number[] = [];
    let position = begin;
    const hits = Math.min(rarest?.hits ?? shuffle.size, shuffle.size);
    for (
      let size = Math.min(firstPositions(page, shuffle.size / hits), MAX_AT_A_TIME);
      position < shuffle.size;
      size = Math.min(size * 2, MAX_AT_A_TIME)
    ) {
      if (position - begin > this.limits.positions) return undefined;
      const end = Math.min(position + size, shuffle.size);
      const ids = Array.from({ length: end - position }, (_, at) => shuffle.at(position + at));
      const matching = new Set(await this.matchingAmong(page, ids));
      found.push(...ids.filter((id) => matching.has(id)));
      if (found.length >= page.limit) return found.slice(0, page.limit);
      position = end;
    }
    return found;
  }

  private async matchingAmong(page: Page, ids: readonly number[]): Promise<readonly number[]> {
    const asked = sql(
      `images.id in (select cast(value ->> 0 as bigint) from ${this.dialect.jsonRows})`,
      JSON.stringify(ids.map((id) => [id])),
    );
    const where = allOf([asked, ...idTests(page, CREATED)]);
    const rows = await rowsOf<{ readonly id: number | string }>(
      this.reader,
      sql(`select images.id from images where ${where.sql}`, ...where.bindings),
    );
    return rows.map(({ id }) => Number(id));
  }

  /** All that match, in the order of their positions. */
  private async sortedIds(page: Page, shuffle: Shuffle, begin: number): Promise<readonly number[]> {
    const { from, tests } = hitsOf(page, false);
    const where = allOf([...tests, sql('hits.image_id < ?', shuffle.size)]);
    const found = await rowsOf<{ readonly id: number | string }>(
      this.reader,
      sql(
        `select hits.image_id as id from ${from.sql} where ${where.sql}`,
        ...from.bindings,
        ...where.bindings,
      ),
    );
    return found
      .map(({ id }) => ({ id: Number(id), position: shuffle.positionOf(Number(id)) }))
      .filter(({ position }) => position >= begin)
      .sort((a, b) => a.position - b.position)
      .slice(0, page.limit)
      .map(({ id }) => id);
  }

  /** In this order. */
  private async imagesOf(ids: readonly number[]): Promise<readonly CatalogImage[]> {
    const rows = await rowsOf<CatalogColumns>(
      this.reader,
      sql(
        `${SELECT_CATALOG_IMAGES} where images.id in (select cast(value ->> 0 as bigint) from ${this.dialect.jsonRows})`,
        JSON.stringify(ids.map((id) => [id])),
      ),
    );
    const byId = new Map(rows.map((row) => [Number(row.id), catalogImageFromRow(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  private async translating<T>(call: () => PromiseLike<T>): Promise<T> {
    return await translatingDatabaseErrors(this.dialect, call);
  }
}

function isRecordFilter({ words, tags, takenAfter, takenBefore }: SearchFilter): boolean {
  return [words, tags, takenAfter, takenBefore].every((condition) => condition === undefined);
}

/** Images that match, as a statement with one column. */
export function matchingIds(conditions: SearchConditions): SqlFragment {
  const { from, tests } = hitsOf({ conditions, upToId: undefined, limit: 0 }, false);
  const where = allOf(tests);
  return sql(`select hits.image_id from ${from.sql} where ${where.sql}`, ...from.bindings, ...where.bindings);
}

/** Hits of the rarest source, or all images. */
const HITS: Stream = { table: 'hits', id: 'hits.image_id', taken: 'hits.taken_sort', conditions: [] };

interface Hits {
  readonly from: SqlFragment;
  readonly tests: readonly SqlFragment[];
}

function hitsOf(page: Page, withTime: boolean): Hits {
  const [source] = page.conditions.sources;
  const ids = source === undefined ? sql('select id as image_id from images') : source.ids;
  const distinct = source?.repeats === true ? 'distinct found.image_id' : 'found.image_id';
  const once = `select ${distinct} from (${ids.sql}) found`;
  const time = '(select taken_sort from image_metadata where image_metadata.image_id = once.image_id)';
  const from = withTime
    ? `(select once.image_id, ${time} as taken_sort from (${once}) once) hits`
    : `(${once}) hits`;
  return { from: sql(from, ...ids.bindings), tests: idTests(page, HITS, source) };
}

/** All conditions, on rows of which only the id is known. */
function idTests(
  { conditions, upToId }: Page,
  { id, table }: Stream,
  source?: Source,
): readonly SqlFragment[] {
  const taken = conditions.takenBounds.map(takenTest);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  return [
    ...[...tests, ...taken].map((test) => testOf(test, { table, id })),
    ...conditions.idBounds.map((bound) => bound(id)),
    ...(upToId === undefined ? [] : [sql(`${id} <= ?`, upToId)]),
  ];
}

/** The conditions that the index of the stream does not answer. */
function testsBeside({ conditions }: Page, stream: Stream): readonly RowTest[] {
  const source = conditions.sources.find((one) => one.stream === stream);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  return stream.taken === undefined ? [...tests, ...conditions.takenBounds.map(takenTest)] : tests;
}

function takenTest(bound: (column: string) => SqlFragment): RowTest {
  return { table: 'image_metadata', condition: bound('image_metadata.taken_sort') };
}

/** Conditions on the columns of the index itself. */
function streamConditions(
  { conditions, upToId }: Page,
  sort: OrderedSort,
  after: SearchPlace | undefined,
  stream: Stream,
): readonly SqlFragment[] {
  const { id, taken } = stream;
  return [
    ...stream.conditions,
    ...behind(stream, sort, after),
    ...conditions.idBounds.map((bound) => bound(id)),
    ...(taken === undefined ? [] : conditions.takenBounds.map((bound) => bound(taken))),
    ...(upToId === undefined ? [] : [sql(`${id} <= ?`, upToId)]),
  ];
}

function behind(stream: Stream, sort: OrderedSort, after: SearchPlace | undefined): readonly SqlFragment[] {
  const comparison = sort.order === 'asc' ? '>' : '<';
  if (after?.by === 'created') return [beyond(keysOf(stream, sort), [after.id], comparison)];
  if (after?.by === 'taken') return [beyond(keysOf(stream, sort), [after.time, after.id], comparison)];
  return [];
}

function beyond(keys: readonly string[], values: readonly number[], comparison: '<' | '>'): SqlFragment {
  return keys.length === 1
    ? sql(`${keys[0]} ${comparison} ?`, ...values)
    : sql(`(${keys.join(', ')}) ${comparison} (${keys.map(() => '?').join(', ')})`, ...values);
}

function keysOf({ id, taken }: Stream, sort: OrderedSort): readonly string[] {
  return sort.by === 'taken' && taken !== undefined ? [taken, id] : [id];
}

function orderBy(keys: readonly string[], { order }: OrderedSort): string {
  return `order by ${keys.map((key) => `${key} ${order}`).join(', ')}`;
}

/** Enough for a page in most cases: up to half of the positions have no image. */
function firstPositions({ limit }: Page, positionsPerHit: number): number {
  return Math.ceil(limit * Math.max(2, positionsPerHit) * 1.3);
}

function streamFor(source: Source | undefined, sort: OrderedSort): Stream | undefined {
  if (sort.by === 'created' || source?.stream?.taken !== undefined) return source?.stream;
  return undefined;
}

/** Of the rarest source that has one in this order, else of all images. */
function bestStream({ conditions }: Page, sort: OrderedSort): Stream {
  const found = conditions.sources
    .map((source) => streamFor(source, sort))
    .find((stream) => stream !== undefined);
  return found ?? (sort.by === 'taken' ? TAKEN : CREATED);
}

function placeOf(row: FoundRow, sort: OrderedSort): SearchPlace {
  const id = Number(row.id);
  return sort.by === 'created' ? { by: 'created', id } : { by: 'taken', time: Number(row.taken_sort), id };
}

function pageOf(
  rows: readonly FoundRow[],
  limit: number,
  placeOfRow: (row: FoundRow) => SearchPlace,
): SearchPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    images: shown.map(catalogImageFromRow),
    next: rows.length > limit && last !== undefined ? placeOfRow(last) : undefined,
  };
}
