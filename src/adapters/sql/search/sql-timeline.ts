import { mapInPortions } from '../../../application/concurrency/map-in-portions.ts';
import { type Calendar, DAYS_OF_PERIOD, type Period } from '../../../domain/image/time/calendar.ts';
import { formatPeriod } from '../../../domain/image/time/format-period.ts';
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
        const counted = isUnfiltered(filter)
          ? this.countedFrom(reader, period, daysIn(space))
          : this.countedMatching(space, reader, period, filter);
        return await this.periodCounts(period, await counted);
      },
    };
  }

  /** The ends of 10,000 days take 0.1 s. */
  private async periodCounts(period: Period, counted: readonly Counted[]): Promise<readonly PeriodCount[]> {
    const newestFirst = counted.toSorted(([a], [b]) => b - a);
    return await mapInPortions(newestFirst, ([number, count]) => ({
      period: formatPeriod(period, number),
      count,
      after: { by: 'taken', time: this.calendar.endOf(period, number), id: 0 },
    }));
  }

  private async countedMatching(
    space: Space,
    reader: RowReader,
    period: Period,
    filter: SearchFilter,
  ): Promise<readonly Counted[]> {
    const context = { space, reader, dialect: this.database.dialect, limits: SEARCH_LIMITS };
    const total = new Map<number, number>();
    for await (const ids of matchingParts(context, filter)) {
      for (const [number, images] of await this.countedFrom(reader, period, daysOf(ids))) {
        total.set(number, (total.get(number) ?? 0) + images);
      }
    }
    return [...total];
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

function daysIn(space: Space): SqlFragment {
  return sql`(select day, images from timeline_days where ${inSpace(space, 'timeline_days.space')}) days`;
}

/** It is not a join, for which Postgres would read all metadata for each part of the images. */
function daysOf(ids: SqlFragment): SqlFragment {
  const day = sql`select taken_day from image_metadata where image_metadata.image_id = matching.image_id`;
  return sql`(select (${day}) as day, 1 as images from (${ids}) matching) days`;
}
