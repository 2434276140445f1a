import type { Knex } from 'knex';
import {
  type Calendar,
  DAYS_OF_PERIOD,
  formatPeriod,
  type Period,
} from '../../../domain/image/time/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import { type RowReader, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { matchingIds } from './search-hits.ts';
import { conditionsOf, SEARCH_LIMITS, type SearchConditions } from './search-sources.ts';

/** Images, about a tenth of a second: then a client that has left is noticed on every database. */
const IDS_AT_A_TIME = 100_000;

/** Number of the period, and images. */
type Counted = readonly [number, number];

/** Counts all images from one row per day, and images that match a filter from the images. */
export class SqlTimeline implements InSpaces<Timeline> {
  private readonly database: CatalogDatabase;

  /** @param reader connections for reading */
  constructor(
    reader: Knex,
    private readonly slowReads: SlowReads,
    private readonly calendar: Calendar,
  ) {
    this.database = new CatalogDatabase(reader);
  }

  in(space: Space): Timeline {
    return {
      periods: async (period) => this.periodCounts(period, await this.countedDays(space, period)),
      matchingPeriods: async (period, filter, limit) => {
        const counted = await this.database.run(() =>
          this.slowReads.run(limit, (reader) => this.countedMatching(space, reader, period, filter)),
        );
        return this.periodCounts(period, counted);
      },
    };
  }

  private periodCounts(period: Period, counted: readonly Counted[]): readonly PeriodCount[] {
    return counted
      .toSorted(([a], [b]) => b - a)
      .map(([number, count]) => ({
        period: formatPeriod(period, number),
        count,
        after: { by: 'taken', time: this.calendar.endOf(period, number), id: 0 },
      }));
  }

  private async countedDays(space: Space, period: Period): Promise<readonly Counted[]> {
    const reader = this.database;
    const inside = inSpace(space, 'timeline_days.space');
    const from = `from timeline_days where ${inside.sql}`;
    if (period === 'day') {
      return await this.pairsIn(reader, sql(`select day as number, images ${from}`, ...inside.bindings));
    }
    const days = sql(`(select day, images ${from}) days`, ...inside.bindings);
    return await this.countedFrom(reader, period, days);
  }

  private async countedMatching(
    space: Space,
    reader: RowReader,
    period: Period,
    filter: SearchFilter,
  ): Promise<readonly Counted[]> {
    const conditions = await conditionsOf(
      { space, reader, dialect: this.database.dialect, limits: SEARCH_LIMITS },
      filter,
    );
    if (conditions === undefined) return [];
    const total = new Map<number, number>();
    for await (const inSpan of this.spansOf(reader, conditions)) {
      const ids = matchingIds({ ...conditions, idBounds: [...conditions.idBounds, inSpan] });
      for (const [number, images] of await this.countedFrom(reader, period, daysOf(ids))) {
        total.set(number, (total.get(number) ?? 0) + images);
      }
    }
    return [...total];
  }

  /** Of ids, one after the other. */
  private async *spansOf(
    reader: RowReader,
    { space, sources }: SearchConditions,
  ): AsyncGenerator<(column: string) => SqlFragment> {
    const end = await this.database.dialect.highestId(this.database.reader, 'images');
    const [rarest] = sources;
    // What repeats ids is read as a whole in each span.
    const isWhole = rarest?.repeats === true || (rarest?.hits ?? Infinity) <= SEARCH_LIMITS.fewHits;
    let first = 0;
    while (first <= end) {
      const [begin, last] = [first, isWhole ? end : await lastOfSpan(reader, space, first, end)];
      yield (column) => sql(`${column} between ? and ?`, begin, last);
      first = last + 1;
    }
  }

  /** @param days a table with the columns `day` and `images` */
  private async countedFrom(
    reader: RowReader,
    period: Period,
    days: SqlFragment,
  ): Promise<readonly Counted[]> {
    const periods = `select day / ${DAYS_OF_PERIOD[period]} as number, sum(images) as images from ${days.sql} group by 1`;
    return await this.pairsIn(reader, sql(periods, ...days.bindings));
  }

  private async pairsIn(reader: RowReader, periods: SqlFragment): Promise<readonly Counted[]> {
    const [row] = await reader.rows<{ readonly json: string | null }>(
      sql(
        `select ${this.database.dialect.jsonOf('number, images')} as json from (${periods.sql}) periods`,
        ...periods.bindings,
      ),
    );
    return JSON.parse(row?.json ?? '[]') as readonly Counted[];
  }
}

/** Ids of one space may lie far apart. */
async function lastOfSpan(reader: RowReader, space: Space, first: number, end: number): Promise<number> {
  if (space === COMMON_SPACE) return first + IDS_AT_A_TIME - 1;
  const inside = inSpace(space, 'images.space');
  const [last] = await reader.rows<{ readonly id: number }>(
    sql(
      `select images.id from images where ${inside.sql} and images.id >= ? order by images.id limit 1 offset ?`,
      ...inside.bindings,
      first,
      IDS_AT_A_TIME,
    ),
  );
  return last?.id ?? end;
}

function daysOf(ids: SqlFragment): SqlFragment {
  return sql(
    `(select image_metadata.taken_day as day, 1 as images from (${ids.sql}) matching
    join image_metadata on image_metadata.image_id = matching.image_id) days`,
    ...ids.bindings,
  );
}
