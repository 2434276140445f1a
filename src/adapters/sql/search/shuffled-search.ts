import { InvalidPlace } from '../../../domain/errors.ts';
import { powerAbove, Shuffle } from '../../../domain/image/shuffle.ts';
import type { SearchPage, SearchPlace } from '../../../domain/ports/records/image-search.ts';
import { pageOf } from '../../../domain/ports/records/page.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { allOf, sql } from '../database/sql-fragment.ts';
import { hitsOf, idTests, type Page } from './search-hits.ts';
import type { SearchLimits } from './search-sources.ts';
import type { Stream } from './streams.ts';

/** Positions of a shuffled catalog that are looked up at a time. */
const MAX_AT_A_TIME = 4_000;

interface Place {
  readonly id: number;
  /** In its space. */
  readonly place: number;
}

const PLACED: Stream = { table: 'placed', id: 'placed.id', taken: undefined, conditions: [] };

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
    const found = (await this.walked(page, shuffle, begin)) ?? (await this.sorted(page, shuffle, begin));
    const placeOf = ({ place }: Place): SearchPlace => ({
      by: 'random',
      power,
      position: shuffle.positionOf(place),
    });
    return pageOf(
      found.map((place) => ({ item: place.id, position: placeOf(place) })),
      page.limit - 1,
    );
  }

  /** Ever given; 0 if there is none. */
  private async highestPlace(space: Space): Promise<number> {
    if (space === COMMON_SPACE) return await this.database.dialect.highestId(this.database.reader, 'images');
    const [row] = await this.database.rows<{ readonly last_place: number }>(
      sql('select last_place from spaces where name = ?', space),
    );
    return row?.last_place ?? 0;
  }

  /** Looks positions up until the page is full. `undefined` if too few have an image that matches. */
  private async walked(page: Page, shuffle: Shuffle, begin: number): Promise<readonly Place[] | undefined> {
    const [rarest] = page.conditions.sources;
    if (rarest !== undefined && rarest.hits <= this.limits.fewHits) return undefined;
    const found: Place[] = [];
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
      const matching = new Map((await this.matchingAmong(page, places)).map((one) => [one.place, one]));
      found.push(...places.flatMap((place) => matching.get(place) ?? []));
      if (found.length >= page.limit) return found.slice(0, page.limit);
      position = end;
    }
    return found;
  }

  /** Looks each place up. A join would have Postgres read the whole space, which it takes for small. */
  private async matchingAmong(page: Page, places: readonly number[]): Promise<readonly Place[]> {
    const { space } = page.conditions;
    const inside = inSpace(space, 'images.space');
    const place = 'cast(value ->> 0 as bigint)';
    const image = `select images.id from images where ${inside.sql} and ${placeIn(space)} = ${place}`;
    const where = allOf([sql('placed.id is not null'), ...idTests(page, PLACED)]);
    return await this.database.rows<Place>(
      sql(
        `select placed.id, placed.place from
        (select (${image}) as id, ${place} as place from ${this.database.dialect.jsonRows}) placed where ${where.sql}`,
        ...inside.bindings,
        JSON.stringify(places.map((one) => [one])),
        ...where.bindings,
      ),
    );
  }

  /** All that match, in the order of their positions. */
  private async sorted(page: Page, shuffle: Shuffle, begin: number): Promise<readonly Place[]> {
    const { from, tests } = hitsOf(page, false);
    const where = allOf(tests);
    const found = await this.database.rows<Place>(
      sql(
        `select hits.image_id as id, ${placeOfHit(page.conditions.space)} as place from ${from.sql} where ${where.sql}`,
        ...from.bindings,
        ...where.bindings,
      ),
    );
    return found
      .filter(({ place }) => place < shuffle.size)
      .map((one) => ({ ...one, position: shuffle.positionOf(one.place) }))
      .filter(({ position }) => position >= begin)
      .sort((a, b) => a.position - b.position)
      .slice(0, page.limit);
  }
}

/** A column of `images`. */
function placeIn(space: Space): string {
  return space === COMMON_SPACE ? 'images.id' : 'images.place';
}

function placeOfHit(space: Space): string {
  return space === COMMON_SPACE
    ? 'hits.image_id'
    : '(select images.place from images where images.id = hits.image_id)';
}

/** Enough for a page in most cases: up to half of the positions have no image. */
function firstPositions({ limit }: Page, positionsPerHit: number): number {
  return Math.ceil(limit * Math.max(2, positionsPerHit) * 1.3);
}
