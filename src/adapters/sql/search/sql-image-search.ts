import type { CatalogImage } from '../../../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchQuery,
} from '../../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { allOf, type RowReader, type SqlFragment, sql } from '../database/sql-fragment.ts';
import {
  type CatalogColumns,
  catalogColumns,
  catalogImageFromRow,
  JOIN_METADATA,
} from '../rows/image-columns.ts';
import { matchingParts } from './hits.ts';
import { OrderedSearch } from './ordered-search.ts';
import { conditionsOf, conditionsOfRecords, SEARCH_LIMITS } from './search-conditions.ts';
import { ShuffledSearch } from './shuffled-search.ts';

/** Of the tags of most records. Only tags can be longer than a few KiB, and their length is cheaper to read than they are. */
const SHORT_TAGS_BYTES = 2 * 1024;
/** Records that are read at a time, so that they hold at most 1 MiB: with short tags, and with long ones. */
const SHORT_AT_A_TIME = 128;
const LONG_AT_A_TIME = 20;

export class SqlImageSearch implements InSpaces<ImageSearch> {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly limits = SEARCH_LIMITS,
  ) {}

  in(space: Space): ImageSearch {
    return {
      findPage: async (query, turns) =>
        await this.findPage(space, turns === undefined ? this.database : this.database.inTurns(turns), query),
      readRecords: (ids) => this.readRecords(ids),
      count: async (filter, turns) => await this.count(space, this.database.inTurns(turns), filter),
      highestId: async () => await this.database.highestId('images'),
    };
  }

  private async findPage(
    space: Space,
    reader: RowReader,
    { filter, sort, after, upToId, limit }: SearchQuery,
  ): Promise<SearchPage> {
    const { database, limits } = this;
    const context = { space, reader, dialect: database.dialect, limits };
    const ofRecords = sort.by === 'created' ? conditionsOfRecords(context, filter) : undefined;
    const conditions = ofRecords ?? (await conditionsOf(context, filter));
    if (conditions === undefined) return { items: [], next: undefined };
    const page = { reader, conditions, upToId, limit: limit + 1 };
    return await (sort.by === 'random'
      ? new ShuffledSearch(database, page, limits).pageBehind(after, sort.seed)
      : new OrderedSearch(page, sort, limits).pageBehind(after));
  }

  private async *readRecords(
    ids: readonly number[],
  ): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    for (let start = 0; start < ids.length; start += SHORT_AT_A_TIME) {
      const some = ids.slice(start, start + SHORT_AT_A_TIME);
      const short = await this.findRecords(some, sql`coalesce(octet_length(tags), 0) <= ${SHORT_TAGS_BYTES}`);
      for (const part of portions(some, (id) => !short.has(id))) {
        const others = part.filter((id) => !short.has(id));
        const long = others.length === 0 ? short : await this.findRecords(others);
        yield part.flatMap((id) => short.get(id) ?? long.get(id) ?? []);
      }
    }
  }

  private async findRecords(
    ids: readonly number[],
    ...conditions: readonly SqlFragment[]
  ): Promise<ReadonlyMap<number, CatalogImage>> {
    const { dialect } = this.database;
    const where = allOf([dialect.isAmong('images.id', ids), ...conditions]);
    const rows = await this.database.rows<CatalogColumns>(
      sql`select ${catalogColumns(dialect)} from images ${JOIN_METADATA} where ${where}`,
    );
    return new Map(rows.map((row) => [row.id, catalogImageFromRow(row)]));
  }

  private async count(space: Space, reader: RowReader, filter: SearchFilter): Promise<number> {
    const context = { space, reader, dialect: this.database.dialect, limits: this.limits };
    let total = 0;
    for await (const matching of matchingParts(context, filter)) {
      const [row] = await reader.rows<{ readonly total: number }>(
        sql`select count(*) as total from (${matching}) matching`,
      );
      total += Number(row?.total);
    }
    return total;
  }
}

/** In the order of the ids, each with at most `LONG_AT_A_TIME` long ones. */
function portions(ids: readonly number[], isLong: (id: number) => boolean): ReadonlyArray<readonly number[]> {
  const found: number[][] = [[]];
  let long = 0;
  for (const id of ids) {
    if (isLong(id)) long += 1;
    if (long > LONG_AT_A_TIME) {
      found.push([]);
      long = 1;
    }
    found.at(-1)?.push(id);
  }
  return found;
}
