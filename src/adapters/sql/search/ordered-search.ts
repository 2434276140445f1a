import type { SearchPage, SearchPlace, SearchSort } from '../../../domain/ports/records/image-search.ts';
import { type Placed, pageOf } from '../../../domain/ports/records/page.ts';
import { allOf, orderBy, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { HITS, hitsOf, type Page } from './hits.ts';
import { countRows, type SearchLimits, type Source } from './search-conditions.ts';
import {
  createdStream,
  idTest,
  type RowTest,
  type Stream,
  takenStream,
  takenTest,
  testsOf,
} from './stream.ts';

export type OrderedSort = Exclude<SearchSort, { readonly by: 'random' }>;

type FoundImage = Placed<number, SearchPlace>;

export interface FoundRow {
  readonly image_id: number;
  /** In the order of capture times. */
  readonly taken_sort?: number;
}

/**
 * Reads an index in the order of the page, and tests its images for the other conditions. If one of these has few hits, all of them are
 * collected and sorted instead. Either way the result is the same, so pages of one listing may differ in this.
 */
export class OrderedSearch {
  constructor(private readonly limits: SearchLimits) {}

  async page(page: Page, sort: OrderedSort, after: SearchPlace | undefined): Promise<SearchPage> {
    const [rarest] = page.conditions.sources;
    const stream = streamFor(rarest, sort);
    if (stream === undefined && rarest !== undefined && rarest.hits <= this.limits.fewHits) {
      return await this.collected(page, sort, after);
    }
    const chosen = stream ?? bestStream(page, sort);
    if (testsBeside(page, sort, chosen).length > 0) return await this.walked(page, sort, after, chosen);
    return pageOf(await this.streamed(page, sort, after, chosen), page.limit - 1);
  }

  /** Tests one portion of a stream after the other, until the page is full or has looked at enough. */
  private async walked(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
    stream: Stream,
  ): Promise<SearchPage> {
    const found: FoundImage[] = [];
    let begin = after;
    for (let looked = 0; looked < this.limits.candidates; looked += this.limits.portion) {
      const end = await this.endOfPortion(page, sort, begin, stream);
      const rest = { ...page, limit: page.limit - found.length };
      found.push(...(await this.streamed(rest, sort, begin, stream, end)));
      if (found.length === page.limit || end === undefined) return pageOf(found, page.limit - 1);
      if (looked === 0 && (await this.isCollectable(page, stream))) {
        return await this.collected(page, sort, after);
      }
      begin = end;
    }
    return { items: found, next: begin };
  }

  /** `undefined` if it is the last one. */
  private async endOfPortion(
    page: Page,
    sort: OrderedSort,
    begin: SearchPlace | undefined,
    stream: Stream,
  ): Promise<SearchPlace | undefined> {
    const where = allOf(streamConditions(page, sort, begin, stream));
    const [last] = await page.reader.rows<FoundRow>(
      sql`select ${placeColumns(stream, sort)} from ${raw(stream.table)}
        where ${where} ${orderOf(stream, sort)} limit 1 offset ${this.limits.portion - 1}`,
    );
    return last && foundImageFrom(last, sort).position;
  }

  /** All hits of the stream itself would cost more than those that it passes. */
  private async isCollectable({ conditions, reader }: Page, stream: Stream): Promise<boolean> {
    const [rarest] = conditions.sources;
    if (rarest === undefined || rarest.rows === stream) return false;
    const { collected } = this.limits;
    const [hits = 0] = await countRows(reader, [rarest.rows], collected + 1);
    return hits <= collected;
  }

  /** The first images of an index that pass all tests. */
  private async streamed(
    page: Page,
    sort: OrderedSort,
    begin: SearchPlace | undefined,
    stream: Stream,
    end?: SearchPlace,
  ): Promise<readonly FoundImage[]> {
    const where = allOf([
      ...upTo(stream, sort, end),
      ...streamConditions(page, sort, begin, stream),
      ...testsOf(testsBeside(page, sort, stream), stream),
    ]);
    return await this.firstOf(page, sort, stream, sql`${raw(stream.table)} where ${where}`);
  }

  /** All hits of the rarest source that pass the tests, sorted. */
  private async collected(
    page: Page,
    sort: OrderedSort,
    after: SearchPlace | undefined,
  ): Promise<SearchPage> {
    const hits = hitsOf(page, sort.by === 'taken');
    const where = allOf([...hits.tests, ...behind(HITS, sort, after)]);
    const from = sql`${hits.from} where ${where}`;
    return pageOf(await this.firstOf(page, sort, HITS, from), page.limit - 1);
  }

  private async firstOf(
    { reader, limit }: Page,
    sort: OrderedSort,
    stream: Stream,
    from: SqlFragment,
  ): Promise<readonly FoundImage[]> {
    const rows = await reader.rows<FoundRow>(
      sql`select ${placeColumns(stream, sort)} from ${from} ${orderOf(stream, sort)} limit ${limit}`,
    );
    return rows.map((row) => foundImageFrom(row, sort));
  }
}

/** The columns of a `FoundRow`. */
function placeColumns({ id, taken }: Stream, sort: OrderedSort): SqlFragment {
  return raw(sort.by === 'taken' ? `${id} as image_id, ${taken} as taken_sort` : `${id} as image_id`);
}

/** The conditions that are no bounds of the stream in the order of the sort. */
function testsBeside({ conditions }: Page, sort: OrderedSort, stream: Stream): readonly RowTest[] {
  const source = conditions.sources.find(({ rows }) => rows === stream);
  const tests = conditions.tests.filter((test) => test !== source?.proves);
  const bounds =
    sort.by === 'taken' ? conditions.idBounds.map(idTest) : conditions.takenBounds.map(takenTest);
  return [...tests, ...bounds];
}

/** What the index leaves out without reading it. Nearly all images have an id up to the highest one. */
function streamConditions(
  { conditions, upToId }: Page,
  sort: OrderedSort,
  after: SearchPlace | undefined,
  stream: Stream,
): readonly SqlFragment[] {
  const [first = stream.id] = keysOf(stream, sort);
  const bounds = sort.by === 'taken' ? conditions.takenBounds : conditions.idBounds;
  return [
    ...stream.conditions,
    ...behind(stream, sort, after),
    ...bounds.map((bound) => bound(first)),
    ...(upToId === undefined ? [] : [sql`${raw(stream.id)} <= ${upToId}`]),
  ];
}

export function behind(
  stream: Stream,
  sort: OrderedSort,
  after: SearchPlace | undefined,
): readonly SqlFragment[] {
  return compared(stream, sort, sort.order === 'asc' ? '>' : '<', after);
}

function upTo(stream: Stream, sort: OrderedSort, end: SearchPlace | undefined): readonly SqlFragment[] {
  return compared(stream, sort, sort.order === 'asc' ? '<=' : '>=', end);
}

function compared(
  stream: Stream,
  sort: OrderedSort,
  comparison: string,
  place: SearchPlace | undefined,
): readonly SqlFragment[] {
  const keys = raw(keysOf(stream, sort).join(', '));
  if (place?.by === 'created') return [sql`${keys} ${raw(comparison)} ${place.id}`];
  if (place?.by === 'taken') return [sql`(${keys}) ${raw(comparison)} (${place.time}, ${place.id})`];
  return [];
}

function keysOf({ id, taken }: Stream, sort: OrderedSort): readonly string[] {
  return sort.by === 'taken' && taken !== undefined ? [taken, id] : [id];
}

export function orderOf(stream: Stream, sort: OrderedSort): SqlFragment {
  return orderBy([...(stream.leading ?? []), ...keysOf(stream, sort)], sort.order);
}

function streamFor(source: Source | undefined, sort: OrderedSort): Stream | undefined {
  if (source?.isStream !== true) return undefined;
  return sort.by === 'created' || source.rows.taken !== undefined ? source.rows : undefined;
}

/** Streams the rarest source that can be read in this order, else all images. */
function bestStream({ conditions }: Page, sort: OrderedSort): Stream {
  const found = conditions.sources
    .map((source) => streamFor(source, sort))
    .find((stream) => stream !== undefined);
  const { space, dialect } = conditions;
  return found ?? (sort.by === 'taken' ? takenStream(space) : createdStream(space, dialect));
}

export function foundImageFrom(row: FoundRow, sort: OrderedSort): FoundImage {
  const { image_id: id, taken_sort: time } = row;
  const position: SearchPlace =
    sort.by === 'created' ? { by: 'created', id } : { by: 'taken', time: Number(time), id };
  return { item: id, position };
}
