import { InvalidPlace } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { powerAbove, Shuffle } from '../../../domain/image/shuffle.ts';
import type { SearchPage, SearchPlace } from '../../../domain/ports/records/image-search.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpaceById } from '../database/in-space.ts';
import { allOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import {
  type CatalogColumns,
  catalogColumns,
  catalogImageFromRow,
  JOIN_METADATA,
} from '../records/image-row.ts';
import { hitsOf, idTests, type Page } from './search-hits.ts';
import type { SearchLimits } from './search-sources.ts';
import { createdStream } from './streams.ts';

/** Positions of a shuffled catalog that are looked up at a time. */
const MAX_AT_A_TIME = 4_000;

/**
 * Looks up positions of the shuffle if most of them match, and sorts all hits by their positions if they are few. It permutes the
 * places of the images in their space.
 */
export class ShuffledSearch {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly limits: SearchLimits,
  ) {}

  async page(page: Page, seed: string, after: SearchPlace | undefined): Promise<SearchPage> {
    const { space } = page.conditions;
    const largest = powerAbove(await this.highestPlace(space));
    const power = after?.by === 'random' ? after.power : largest;
    if (power > largest) throw new InvalidPlace();
    const begin = after?.by === 'random' ? after.position + 1 : 0;
    const shuffle = new Shuffle(seed, power);
    const places =
      (await this.walkedPlaces(page, shuffle, begin)) ?? (await this.sortedPlaces(page, shuffle, begin));
    const wanted = places.slice(0, page.limit - 1);
    const last = wanted.at(-1);
    const hasMore = places.length === page.limit && last !== undefined;
    return {
      images: await this.imagesAt(wanted, space),
      next: hasMore ? { by: 'random', power, position: shuffle.positionOf(last) } : undefined,
    };
  }

  /** Ever given; 0 if there is none. */
  private async highestPlace(space: Space): Promise<number> {
    if (space === COMMON_SPACE) return await this.database.dialect.highestId(this.database.reader);
    const [row] = await this.database.rows<{ readonly last_place: number }>(
      sql('select last_place from spaces where name = ?', space),
    );
    return row?.last_place ?? 0;
  }

  /** Looks positions up until the page is full. `undefined` if too few have an image that matches. */
  private async walkedPlaces(
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
      const places = Array.from({ length: end - position }, (_, at) => shuffle.at(position + at));
      const matching = new Set(await this.matchingAmong(page, places));
      found.push(...places.filter((place) => matching.has(place)));
      if (found.length >= page.limit) return found.slice(0, page.limit);
      position = end;
    }
    return found;
  }

  private async matchingAmong(page: Page, places: readonly number[]): Promise<readonly number[]> {
    const { space } = page.conditions;
    const where = allOf([
      this.isAt(places, space),
      ...idTests(page, createdStream(space, this.database.dialect)),
    ]);
    const rows = await this.database.rows<{ readonly place: number }>(
      sql(`select ${placeIn(space)} as place from images where ${where.sql}`, ...where.bindings),
    );
    return rows.map(({ place }) => place);
  }

  /** All that match, in the order of their positions. */
  private async sortedPlaces(page: Page, shuffle: Shuffle, begin: number): Promise<readonly number[]> {
    const { from, tests } = hitsOf(page, false);
    const where = allOf(tests);
    const ids = sql(
      `select hits.image_id from ${from.sql} where ${where.sql}`,
      ...from.bindings,
      ...where.bindings,
    );
    const found = await this.database.rows<{ readonly place: number }>(placesOf(ids, page.conditions.space));
    return found
      .filter(({ place }) => place < shuffle.size)
      .map(({ place }) => ({ place, position: shuffle.positionOf(place) }))
      .filter(({ position }) => position >= begin)
      .sort((a, b) => a.position - b.position)
      .slice(0, page.limit)
      .map(({ place }) => place);
  }

  /** In this order. */
  private async imagesAt(places: readonly number[], space: Space): Promise<readonly CatalogImage[]> {
    const where = this.isAt(places, space);
    const rows = await this.database.rows<CatalogColumns & { readonly number: number }>(
      sql(
        `select ${catalogColumns(this.database.dialect)}, ${placeIn(space)} as number from images ${JOIN_METADATA}
        where ${where.sql}`,
        ...where.bindings,
      ),
    );
    const byPlace = new Map(rows.map((row) => [row.number, catalogImageFromRow(row)]));
    return places.flatMap((place) => byPlace.get(place) ?? []);
  }

  private isAt(places: readonly number[], space: Space): SqlFragment {
    return allOf([
      inSpaceById(space, 'images.space', this.database.dialect),
      sql(
        `${placeIn(space)} in (select cast(value ->> 0 as bigint) from ${this.database.dialect.jsonRows})`,
        JSON.stringify(places.map((place) => [place])),
      ),
    ]);
  }
}

/** A column of `images`. */
function placeIn(space: Space): string {
  return space === COMMON_SPACE ? 'images.id' : 'images.place';
}

function placesOf(ids: SqlFragment, space: Space): SqlFragment {
  const place =
    space === COMMON_SPACE
      ? 'matching.image_id'
      : '(select images.place from images where images.id = matching.image_id)';
  return sql(`select ${place} as place from (${ids.sql}) matching`, ...ids.bindings);
}

/** Enough for a page in most cases: up to half of the positions have no image. */
function firstPositions({ limit }: Page, positionsPerHit: number): number {
  return Math.ceil(limit * Math.max(2, positionsPerHit) * 1.3);
}
