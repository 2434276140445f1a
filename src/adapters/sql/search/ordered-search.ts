import type { SearchPage, SearchPlace, SearchSort } from '../../../domain/ports/records/image-search.ts';
import { type Placed, pageOf } from '../../../domain/ports/records/page.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { allOf, orderBy, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { HITS, hitsOf, type Page } from './search-hits.ts';
import type { SearchLimits, Source } from './search-sources.ts';
import { createdStream, type RowTest, type Stream, takenStream, takenTest, testOf } from './streams.ts';

export type OrderedSort = Exclude<SearchSort, { readonly by: 'random' }>;

export interface FoundRow {
  readonly image_id: number;
  /** Not in another order. */
  readonly taken_sort?: number | null;
}

/**
 * Reads an index in the order of the page if most of its images match, and collects and sorts the hits of another index if it has
 * few. Either way the result is the same, so pages of one listing may differ in this.
 */
export class OrderedSearch {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly limits: SearchLimits,
  ) {}

  async page(page: Page, sort: OrderedSort, after: SearchPlace | undefined): Promise<SearchPage> {
    const rows = await this.orderedRows(page, sort, after);
    return pageOf(
      rows.map((row) => placedFrom(row, sort)),
      page.limit - 1,
    );
  }

  private async orderedRows(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
  ): Promise<readonly FoundRow[]> {
    const [rarest] = page.conditions.sources;
    const stream = streamFor(rarest, sort);
    if (stream === undefined && rarest !== undefined && rarest.hits <= this.limits.fewHits) {
      return await this.collectedRows(page, sort, after);
    }
    const chosen = stream ?? bestStream(page, sort);
    // All hits of the rarest source, sorted, would cost more than those that its stream passes.
    if (chosen === rarest?.stream || testsBeside(page, chosen).length === 0) {
      return await this.streamedRows(page, sort, after, chosen);
    }
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
    const [last] = await this.database.rows<Readonly<Record<string, number>>>(
      sql(
        `select ${keys.map((key, at) => `${key} as k${at}`).join(', ')} from ${stream.table}
        where ${where.sql} ${orderOf(stream, sort)} limit 1 offset ${this.limits.tested}`,
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
      ${orderOf(stream, sort)} limit ?`,
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
      `select hits.image_id from ${hits.from.sql} where ${where.sql} ${orderOf(HITS, sort)} limit ?`,
      ...hits.from.bindings,
      ...where.bindings,
      page.limit,
    );
    return await this.rowsIn(ids, sort);
  }

  /** In the order of the sort. */
  private async rowsIn(ids: SqlFragment, sort: OrderedSort): Promise<readonly FoundRow[]> {
    if (sort.by === 'created') return await this.database.rows<FoundRow>(ids);
    const keys = ['image_metadata.taken_sort', 'page.image_id'];
    return await this.database.rows<FoundRow>(
      sql(
        `select page.image_id, image_metadata.taken_sort from (${ids.sql}) page
        left join image_metadata on image_metadata.image_id = page.image_id ${orderBy(keys, sort.order)}`,
        ...ids.bindings,
      ),
    );
  }
}

/** The conditions that the index of the stream does not answer. */
function testsBeside({ conditions }: Page, stream: Stream): readonly RowTest[] {
  const source = conditions.sources.find((one) => one.stream === stream);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  return stream.taken === undefined ? [...tests, ...conditions.takenBounds.map(takenTest)] : tests;
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

export function behind(
  stream: Stream,
  sort: OrderedSort,
  after: SearchPlace | undefined,
): readonly SqlFragment[] {
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

export function orderOf(stream: Stream, sort: OrderedSort): string {
  return orderBy([...(stream.leading ?? []), ...keysOf(stream, sort)], sort.order);
}

function streamFor(source: Source | undefined, sort: OrderedSort): Stream | undefined {
  if (sort.by === 'created' || source?.stream?.taken !== undefined) return source?.stream;
  return undefined;
}

/** Streams the rarest source that can be read in this order, else all images. */
function bestStream({ conditions }: Page, sort: OrderedSort): Stream {
  const found = conditions.sources
    .map((source) => streamFor(source, sort))
    .find((stream) => stream !== undefined);
  const { space, dialect } = conditions;
  return found ?? (sort.by === 'taken' ? takenStream(space) : createdStream(space, dialect));
}

export function placedFrom(row: FoundRow, sort: OrderedSort): Placed<number, SearchPlace> {
  const { image_id: id, taken_sort: time } = row;
  const position: SearchPlace =
    sort.by === 'created' ? { by: 'created', id } : { by: 'taken', time: Number(time), id };
  return { item: id, position };
}
