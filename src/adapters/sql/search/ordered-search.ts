import type { SearchPage, SearchPlace, SearchSort } from '../../../domain/ports/records/image-search.ts';
import { type Placed, pageOf } from '../../../domain/ports/records/page.ts';
import { allOf, orderBy, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { HITS, hitsOf, type Page } from './hits.ts';
import { hasAtMost, type SearchLimits, type Source } from './search-conditions.ts';
import {
  createdStream,
  idTest,
  type RowTest,
  type Stream,
  takenStream,
  takenTest,
  testsOf,
} from './stream.ts';

type OrderedSort = Exclude<SearchSort, { readonly by: 'random' }>;

type FoundImage = Placed<number, SearchPlace>;

interface FoundRow {
  readonly image_id: number;
  /** In the order of capture times. */
  readonly taken_sort?: number;
}

/**
 * Reads an index in the order of the page, and tests its images for the other conditions. If one of these has few hits, all of them are
 * collected and sorted instead. Either way the result is the same, so pages of one listing may differ in this.
 */
export class OrderedSearch {
  constructor(
    private readonly page: Page,
    private readonly sort: OrderedSort,
    private readonly limits: SearchLimits,
  ) {}

  async pageBehind(after: SearchPlace | undefined): Promise<SearchPage> {
    const { sources } = this.page.conditions;
    const [rarest] = sources;
    const stream = rarest && this.streamOf(rarest);
    if (stream === undefined && rarest !== undefined && rarest.hits <= this.limits.fewHits) {
      return await this.collected(after);
    }
    const chosen = stream ?? this.bestStream();
    if (this.testsBeside(chosen).length > 0) return await this.walked(chosen, after);
    return this.whole(await this.streamed(chosen, after));
  }

  /** Tests one portion of a stream after the other, until the page is full or has looked at enough. */
  private async walked(stream: Stream, after: SearchPlace | undefined): Promise<SearchPage> {
    const { limit } = this.page;
    const found: FoundImage[] = [];
    let begin = after;
    for (let looked = 0; looked < this.limits.candidates; looked += this.limits.portion) {
      const end = await this.endOfPortion(stream, begin);
      found.push(...(await this.streamed(stream, begin, end, limit - found.length)));
      if (found.length === limit || end === undefined) return this.whole(found);
      if (looked === 0 && (await this.isCollectable(stream))) return await this.collected(after);
      begin = end;
    }
    return { items: found, next: begin };
  }

  /** `undefined` if it is the last one. */
  private async endOfPortion(
    stream: Stream,
    begin: SearchPlace | undefined,
  ): Promise<SearchPlace | undefined> {
    const where = allOf(this.streamConditions(stream, begin));
    const [last] = await this.page.reader.rows<FoundRow>(
      sql`select ${this.placeColumns(stream)} from ${raw(stream.table)}
        where ${where} ${this.orderOf(stream)} limit 1 offset ${this.limits.portion - 1}`,
    );
    return last && this.foundImageFrom(last).position;
  }

  /** All hits of the stream itself would cost more than those that it passes. */
  private async isCollectable(stream: Stream): Promise<boolean> {
    const { conditions, reader } = this.page;
    const [rarest] = conditions.sources;
    if (rarest === undefined || rarest.rows === stream) return false;
    return await hasAtMost(this.limits.collected, reader, rarest.rows);
  }

  /** The first images of an index that pass all tests. */
  private async streamed(
    stream: Stream,
    begin: SearchPlace | undefined,
    end?: SearchPlace,
    limit = this.page.limit,
  ): Promise<readonly FoundImage[]> {
    const where = allOf([
      this.compared(stream, this.sort.order === 'asc' ? '<=' : '>=', end),
      ...this.streamConditions(stream, begin),
      ...testsOf(this.testsBeside(stream), stream),
    ]);
    return await this.firstOf(stream, sql`${raw(stream.table)} where ${where}`, limit);
  }

  /** All hits of the rarest source that pass the tests, sorted. */
  private async collected(after: SearchPlace | undefined): Promise<SearchPage> {
    const hits = hitsOf(this.page, this.sort.by === 'taken');
    const where = allOf([...hits.tests, this.behind(HITS, after)]);
    return this.whole(await this.firstOf(HITS, sql`${hits.from} where ${where}`, this.page.limit));
  }

  private async firstOf(stream: Stream, from: SqlFragment, limit: number): Promise<readonly FoundImage[]> {
    const rows = await this.page.reader.rows<FoundRow>(
      sql`select ${this.placeColumns(stream)} from ${from} ${this.orderOf(stream)} limit ${limit}`,
    );
    return rows.map((row) => this.foundImageFrom(row));
  }

  private whole(found: readonly FoundImage[]): SearchPage {
    return pageOf(found, this.page.limit - 1);
  }

  /** The columns of a `FoundRow`. */
  private placeColumns({ id, taken }: Stream): SqlFragment {
    return raw(this.sort.by === 'taken' ? `${id} as image_id, ${taken} as taken_sort` : `${id} as image_id`);
  }

  /** The conditions that are no bounds of the stream in the order of the sort. */
  private testsBeside(stream: Stream): readonly RowTest[] {
    const { sources, tests, idBounds, takenBounds } = this.page.conditions;
    const source = sources.find(({ rows }) => rows === stream);
    const bounds = this.sort.by === 'taken' ? idBounds.map(idTest) : takenBounds.map(takenTest);
    return [...tests.filter((test) => test !== source?.proves), ...bounds];
  }

  /** What the index leaves out without reading it. Nearly all images have an id up to the highest one. */
  private streamConditions(stream: Stream, after: SearchPlace | undefined): Parameters<typeof allOf>[0] {
    const { conditions, upToId } = this.page;
    const [first = stream.id] = this.keysOf(stream);
    const bounds = this.sort.by === 'taken' ? conditions.takenBounds : conditions.idBounds;
    return [
      ...stream.conditions,
      this.behind(stream, after),
      ...bounds.map((bound) => bound(first)),
      upToId === undefined ? undefined : sql`${raw(stream.id)} <= ${upToId}`,
    ];
  }

  private behind(stream: Stream, after: SearchPlace | undefined): SqlFragment | undefined {
    return this.compared(stream, this.sort.order === 'asc' ? '>' : '<', after);
  }

  private compared(stream: Stream, than: string, place: SearchPlace | undefined): SqlFragment | undefined {
    const keys = raw(this.keysOf(stream).join(', '));
    if (place?.by === 'created') return sql`${keys} ${raw(than)} ${place.id}`;
    if (place?.by === 'taken') return sql`(${keys}) ${raw(than)} (${place.time}, ${place.id})`;
    return undefined;
  }

  private keysOf({ id, taken }: Stream): readonly string[] {
    return this.sort.by === 'taken' && taken !== undefined ? [taken, id] : [id];
  }

  private orderOf(stream: Stream): SqlFragment {
    return orderBy([...(stream.leading ?? []), ...this.keysOf(stream)], this.sort.order);
  }

  /** `undefined` if it cannot be read in the order of the sort. */
  private streamOf({ rows, isStream }: Source): Stream | undefined {
    return isStream && (this.sort.by === 'created' || rows.taken !== undefined) ? rows : undefined;
  }

  /** Streams the rarest source that can be read in this order, else all images. */
  private bestStream(): Stream {
    const { sources, space, dialect } = this.page.conditions;
    const found = sources.map((source) => this.streamOf(source)).find((stream) => stream !== undefined);
    return found ?? (this.sort.by === 'taken' ? takenStream(space) : createdStream(space, dialect));
  }

  private foundImageFrom({ image_id: id, taken_sort: time }: FoundRow): FoundImage {
    const position: SearchPlace =
      this.sort.by === 'created' ? { by: 'created', id } : { by: 'taken', time: Number(time), id };
    return { item: id, position };
  }
}
