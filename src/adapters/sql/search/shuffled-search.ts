import { InvalidPlace } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { powerAbove, Shuffle } from '../../../domain/image/shuffle.ts';
import type { SearchPage, SearchPlace } from '../../../domain/ports/records/image-search.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { allOf, sql } from '../database/sql-fragment.ts';
import { type CatalogColumns, catalogImageFromRow, SELECT_CATALOG_IMAGES } from '../records/image-row.ts';
import { CREATED, hitsOf, idTests, type Page } from './search-hits.ts';
import type { SearchLimits } from './search-sources.ts';

/** Positions of a shuffled catalog that are looked up at a time. */
const MAX_AT_A_TIME = 4_000;

/** Looks up positions of the shuffle if most of them match, and sorts all hits by their positions if they are few. */
export class ShuffledSearch {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly limits: SearchLimits,
  ) {}

  async page(page: Page, seed: string, after: SearchPlace | undefined): Promise<SearchPage> {
    const largest = powerAbove(await this.database.dialect.highestId(this.database.reader));
    const power = after?.by === 'random' ? after.power : largest;
    if (power > largest) throw new InvalidPlace();
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
      `images.id in (select cast(value ->> 0 as bigint) from ${this.database.dialect.jsonRows})`,
      JSON.stringify(ids.map((id) => [id])),
    );
    const where = allOf([asked, ...idTests(page, CREATED)]);
    const rows = await this.database.rows<{ readonly id: number }>(
      sql(`select images.id from images where ${where.sql}`, ...where.bindings),
    );
    return rows.map(({ id }) => id);
  }

  /** All that match, in the order of their positions. */
  private async sortedIds(page: Page, shuffle: Shuffle, begin: number): Promise<readonly number[]> {
    const { from, tests } = hitsOf(page, false);
    const where = allOf([...tests, sql('hits.image_id < ?', shuffle.size)]);
    const found = await this.database.rows<{ readonly id: number }>(
      sql(
        `select hits.image_id as id from ${from.sql} where ${where.sql}`,
        ...from.bindings,
        ...where.bindings,
      ),
    );
    return found
      .map(({ id }) => ({ id: id, position: shuffle.positionOf(id) }))
      .filter(({ position }) => position >= begin)
      .sort((a, b) => a.position - b.position)
      .slice(0, page.limit)
      .map(({ id }) => id);
  }

  /** In this order. */
  private async imagesOf(ids: readonly number[]): Promise<readonly CatalogImage[]> {
    const rows = await this.database.rows<CatalogColumns>(
      sql(
        `${SELECT_CATALOG_IMAGES} where images.id in (select cast(value ->> 0 as bigint) from ${this.database.dialect.jsonRows})`,
        JSON.stringify(ids.map((id) => [id])),
      ),
    );
    const byId = new Map(rows.map((row) => [row.id, catalogImageFromRow(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Enough for a page in most cases: up to half of the positions have no image. */
function firstPositions({ limit }: Page, positionsPerHit: number): number {
  return Math.ceil(limit * Math.max(2, positionsPerHit) * 1.3);
}
