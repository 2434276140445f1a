import { InvalidPlace } from '../../../domain/errors.ts';
import { powerAbove } from '../../../domain/image/power-above.ts';
import { Shuffle } from '../../../domain/image/shuffle.ts';
import type { SearchPage, SearchPlace } from '../../../domain/ports/records/image-search.ts';
import { type Page as ListedPage, type Placed, pageOf } from '../../../domain/ports/records/page.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { allOf, raw, sql } from '../database/sql-fragment.ts';
import { hitsOf, idTests, type Page } from './hits.ts';
import { jsonRows } from './json-rows.ts';
import { hasAtMost, type SearchLimits } from './search-conditions.ts';
import { createdStream, type Stream } from './stream.ts';

/** Positions of a shuffled catalog that are looked up at a time. */
const MAX_AT_A_TIME = 4_000;

/** A position that has no image costs less than one that has. */
const MAX_POSITIONS_PER_IMAGE = 4;

/** The id of an image, and a position of the shuffle. */
type FoundId = Placed<number, number>;
type FoundIds = ListedPage<number, number>;

const PLACED: Stream = { table: 'placed', id: 'placed.id', taken: undefined, conditions: [] };

/**
 * Looks up positions of the shuffle, and tests their images. If one of the conditions has few hits, all of them are sorted by their
 * positions instead. It permutes the places of the images in their space.
 */
export class ShuffledSearch {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly page: Page,
    private readonly limits: SearchLimits,
  ) {}

  async pageBehind(after: SearchPlace | undefined, seed: string): Promise<SearchPage> {
    const { space, sources } = this.page.conditions;
    const largest = powerAbove(await this.highestPlace(space));
    const power = after?.by === 'random' ? after.power : largest;
    if (power > largest) throw new InvalidPlace();
    const begin = after?.by === 'random' ? after.position + 1 : 0;
    const [rarest] = sources;
    const hasFew = rarest !== undefined && rarest.hits <= this.limits.fewHits;
    const shuffle = new Shuffle(seed, power);
    const { items, next } = await (hasFew ? this.sorted(shuffle, begin) : this.walked(shuffle, begin));
    const positionOf = (position: number): SearchPlace => ({ by: 'random', power, position });
    return {
      items: items.map(({ item, position }) => ({ item, position: positionOf(position) })),
      next: next === undefined ? undefined : positionOf(next),
    };
  }

  /** Ever given; 0 if there is none. */
  private async highestPlace(space: Space): Promise<number> {
    if (space === COMMON_SPACE) return await this.database.highestId('images');
    return await this.database.number(sql`select last_place from spaces where name = ${space}`);
  }

  /** Looks positions up until the page is full, or has looked at enough. */
  private async walked(shuffle: Shuffle, begin: number): Promise<FoundIds> {
    const { page } = this;
    const found: FoundId[] = [];
    let [position, looked] = [begin, 0];
    const last = Math.min(shuffle.size, begin + this.limits.candidates * MAX_POSITIONS_PER_IMAGE);
    for (
      let size = firstPositions(page, shuffle);
      position < last && looked < this.limits.candidates;
      size = Math.min(size * 2, MAX_AT_A_TIME)
    ) {
      const end = Math.min(position + size, last);
      const images = await this.imagesBetween(shuffle, position, end);
      found.push(...images.filter(({ matches }) => matches));
      if (found.length >= page.limit) return pageOf(found, page.limit - 1);
      const isFirst = position - begin < this.limits.portion && end - begin >= this.limits.portion;
      if (isFirst && (await this.isSortable())) return await this.sorted(shuffle, begin);
      looked += images.length;
      position = end;
    }
    if (position < shuffle.size) return { items: found, next: position - 1 };
    return pageOf(found, page.limit - 1);
  }

  /** The images at these positions of the shuffle. A join would have Postgres read the whole space, which it takes for small. */
  private async imagesBetween(
    shuffle: Shuffle,
    begin: number,
    end: number,
  ): Promise<ReadonlyArray<FoundId & { readonly matches: boolean }>> {
    const { reader, conditions } = this.page;
    const { space, dialect } = conditions;
    const positions = Array.from({ length: end - begin }, (_, at) => [shuffle.at(begin + at), begin + at]);
    const image = sql`select images.id from images where ${inSpace(space, 'images.space')}
      and ${raw(placeIn(space))} = cast(value ->> 0 as bigint)`;
    // Without the limit, the engines would look an image up again for each use of its id.
    const images = sql`(select (${image}) as id, cast(value ->> 1 as bigint) as position
      from ${dialect.jsonRows(positions)} limit ${positions.length}) placed`;
    const columns = sql`placed.position, placed.id, (${allOf(idTests(this.page, PLACED))})`;
    const found = await jsonRows<[number, number, boolean | number]>(
      reader,
      dialect.jsonOf(columns),
      sql`${images} where placed.id is not null`,
    );
    return found
      .toSorted(([a], [b]) => a - b)
      .map(([at, id, matches]) => ({ position: at, item: id, matches: Boolean(matches) }));
  }

  private async isSortable(): Promise<boolean> {
    const { conditions, reader } = this.page;
    const [rarest] = conditions.sources;
    const rows = rarest?.rows ?? createdStream(conditions.space, conditions.dialect);
    return await hasAtMost(this.limits.collected, reader, rows);
  }

  /** All that match, in the order of their positions. */
  private async sorted(shuffle: Shuffle, begin: number): Promise<FoundIds> {
    const { reader, conditions, limit } = this.page;
    const { space, dialect } = conditions;
    const { from, tests } = hitsOf(this.page, false);
    const hits = await jsonRows<[number, number]>(
      reader,
      dialect.jsonOf(sql`${raw(placeOfHit(space))}, hits.image_id`),
      sql`${from} where ${allOf(tests)}`,
    );
    const found = hits
      .filter(([place]) => place < shuffle.size)
      .map(([place, id]) => ({ position: shuffle.positionOf(place), item: id }))
      .filter(({ position }) => position >= begin)
      .sort((a, b) => a.position - b.position);
    return pageOf(found, limit - 1);
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
function firstPositions({ limit, conditions }: Page, { size }: Shuffle): number {
  const hits = Math.min(conditions.sources[0]?.hits ?? size, size);
  return Math.min(Math.ceil(limit * Math.max(2, size / hits) * 1.3), MAX_AT_A_TIME);
}
