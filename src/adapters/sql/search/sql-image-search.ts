import type { Knex } from 'knex';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchQuery,
  TimeLimit,
} from '../../../domain/ports/records/image-search.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import { type RowReader, sql } from '../database/sql-fragment.ts';
import { CATALOG_COLUMNS } from '../records/image-row.ts';
import { applyFilter } from './image-filter.ts';
import { METADATA_TABLE } from './metadata-row.ts';
import { type FoundRow, OrderedSearch, type OrderedSort, pageOf } from './ordered-search.ts';
import { matchingIds } from './search-hits.ts';
import { conditionsOf, SEARCH_LIMITS, type SearchConditions } from './search-sources.ts';
import { ShuffledSearch } from './shuffled-search.ts';

export class SqlImageSearch implements ImageSearch {
  private readonly database: CatalogDatabase;
  private readonly ordered: OrderedSearch;
  private readonly shuffled: ShuffledSearch;

  /** @param reader connections for reading */
  constructor(
    reader: Knex,
    private readonly slowReads: SlowReads,
    private readonly limits = SEARCH_LIMITS,
  ) {
    this.database = new CatalogDatabase(reader);
    this.ordered = new OrderedSearch(this.database, limits);
    this.shuffled = new ShuffledSearch(this.database, limits);
  }

  async findPage({ filter, sort, after, upToId, limit }: SearchQuery): Promise<SearchPage> {
    return await this.database.run(async () => {
      if (sort.by === 'created' && isRecordFilter(filter)) {
        return await this.recordPage({ filter, sort, after, upToId, limit }, sort);
      }
      const conditions = await this.conditionsOf(this.database, filter, sort.by !== 'created');
      if (conditions === undefined) return { images: [], next: undefined };
      const page = { conditions, upToId, limit: limit + 1 };
      if (sort.by === 'random') return await this.shuffled.page(page, sort.seed, after);
      return await this.ordered.page(page, sort, after);
    });
  }

  async count(filter: SearchFilter, limit: TimeLimit): Promise<number> {
    return await this.database.run(() => this.slowReads.run(limit, (reader) => this.total(reader, filter)));
  }

  private async total(reader: RowReader, filter: SearchFilter): Promise<number> {
    const conditions = await this.conditionsOf(reader, filter);
    if (conditions === undefined) return 0;
    const matching = matchingIds(conditions);
    const [row] = await reader.rows<{ readonly total: number }>(
      sql(`select count(*) as total from (${matching.sql}) matching`, ...matching.bindings),
    );
    return Number(row?.total);
  }

  private async conditionsOf(
    reader: RowReader,
    filter: SearchFilter,
    needsHits = true,
  ): Promise<SearchConditions | undefined> {
    return await conditionsOf(
      { reader, dialect: this.database.dialect, limits: this.limits },
      filter,
      needsHits,
    );
  }

  async highestId(): Promise<number> {
    return await this.database.run(() => this.database.dialect.highestId(this.database.reader));
  }

  /** Each filter of records has an index in the order of the ids. */
  private async recordPage(
    { filter, after, upToId, limit }: SearchQuery,
    sort: OrderedSort,
  ): Promise<SearchPage> {
    const rows: readonly FoundRow[] = await this.database
      .reader('images')
      .select(CATALOG_COLUMNS)
      .leftJoin(METADATA_TABLE, 'image_metadata.image_id', 'images.id')
      .modify((query) => {
        applyFilter(query, filter);
        if (after?.by === 'created') void query.where('id', sort.order === 'asc' ? '>' : '<', after.id);
        if (upToId !== undefined) void query.where('id', '<=', upToId);
      })
      .orderBy('id', sort.order)
      .limit(limit + 1);
    return pageOf(rows, limit, sort);
  }
}

function isRecordFilter({ words, tags, takenAfter, takenBefore }: SearchFilter): boolean {
  return [words, tags, takenAfter, takenBefore].every((condition) => condition === undefined);
}
