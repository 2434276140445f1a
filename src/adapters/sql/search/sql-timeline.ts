import { mapInPortions } from '../../../application/concurrency/map-in-portions.ts';
import { type Calendar, DAYS_OF_PERIOD, type Period } from '../../../domain/image/time/calendar.ts';
import { formatPeriod } from '../../../domain/image/time/format-period.ts';
import type { Turns } from '../../../domain/ports/process/turns.ts';
import {
  isUnfiltered,
  type PeriodCount,
  type SearchFilter,
  type Timeline,
} from '../../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { type RowReader, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { matchingParts } from './hits.ts';
import { jsonRows } from './json-rows.ts';
import { SEARCH_LIMITS } from './search-conditions.ts';

/** Number of the period, and images. */
type Counted = readonly [number, number];

/** Counts all images from one row per day, and images that match a filter from the images. */
export class SqlTimeline implements InSpaces<Timeline> {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly calendar: Calendar,
  ) {}

  in(space: Space): Timeline {
    return {
      periods: async (period, filter, turns) => {
        const reader = this.database.inTurns(turns);
        const parts = isUnfiltered(filter)
          ? daysOfPortions(reader, space)
          : this.daysMatching(space, reader, filter);
        const total = new Map<number, number>();
        for await (const days of parts) {
          for (const [number, images] of await this.countedFrom(reader, period, days)) {
            total.set(number, (total.get(number) ?? 0) + images);
          }
        }
        return await this.periodCounts(period, total, turns);
      },
    };
  }

  /** The ends of 10,000 days take 0.1 s. */
  private async periodCounts(
    period: Period,
    total: ReadonlyMap<number, number>,
    { stopped }: Turns,
  ): Promise<readonly PeriodCount[]> {
    // An array of numbers is sorted ten times as fast as one of pairs.
    const newestFirst = Int32Array.from(total.keys()).sort().toReversed();
    return await mapInPortions([...newestFirst], (number) => {
      stopped.throwIfAborted();
      const after = { by: 'taken', time: this.calendar.endOf(period, number), id: 0 } as const;
      return { period: formatPeriod(period, number), count: total.get(number) ?? 0, after };
    });
  }

  private async *daysMatching(
    space: Space,
    reader: RowReader,
    filter: SearchFilter,
  ): AsyncGenerator<SqlFragment, void, undefined> {
    const context = { space, reader, dialect: this.database.dialect, limits: SEARCH_LIMITS };
    for await (const ids of matchingParts(context, filter)) yield daysOf(ids);
  }

  /** @param days a table with the columns `day` and `images` */
  private async countedFrom(
    reader: RowReader,
    period: Period,
    days: SqlFragment,
  ): Promise<readonly Counted[]> {
    const length = raw(String(DAYS_OF_PERIOD[period]));
    const periods = sql`select day / ${length} as number, sum(images) as images from ${days} group by 1`;
    return await jsonRows(
      reader,
      this.database.dialect.jsonOf(sql`number, images`),
      sql`(${periods}) periods`,
    );
  }
}

/** Days of one statement: a client may date each image on another day. */
const DAYS_AT_A_TIME = 10_000;

/** Tables with the days of a space, newest first. */
async function* daysOfPortions(
  reader: RowReader,
  space: Space,
): AsyncGenerator<SqlFragment, void, undefined> {
  const inside = inSpace(space, 'timeline_days.space');
  let rest = inside;
  for (;;) {
    const [last] = await reader.rows<{ readonly day: number }>(
      sql`select day from timeline_days where ${rest} order by day desc limit 1 offset ${DAYS_AT_A_TIME - 1}`,
    );
    const first = last?.day;
    const portion = first === undefined ? rest : sql`${rest} and day >= ${first}`;
    yield sql`(select day, images from timeline_days where ${portion}) days`;
    if (first === undefined) return;
    rest = sql`${inside} and day < ${first}`;
  }
}

/** It is not a join, for which Postgres would read all metadata for each part of the images. */
function daysOf(ids: SqlFragment): SqlFragment {
  const day = sql`select taken_day from image_metadata where image_metadata.image_id = matching.image_id`;
  return sql`(select (${day}) as day, 1 as images from (${ids}) matching) days`;
}
