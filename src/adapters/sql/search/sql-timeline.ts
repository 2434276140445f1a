import type { Knex } from 'knex';
import {
  type Calendar,
  DAYS_OF_PERIOD,
  formatPeriod,
  type Period,
} from '../../../domain/image/time/calendar.ts';
import type {
  PeriodCount,
  SearchFilter,
  TimeLimit,
  Timeline,
} from '../../../domain/ports/records/image-search.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import type { SlowReads } from '../database/slow-reads.ts';
import { type RowReader, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { matchingIds } from './search-hits.ts';
import { conditionsOf, SEARCH_LIMITS } from './search-sources.ts';

/** About a tenth of a second: then a client that has left is noticed on every database. */
const IDS_AT_A_TIME = 100_000;

/** Number of the period, and images. */
type Counted = readonly [number, number];

/** Counts all images from one row per day, and images that match a filter from the images. */
export class SqlTimeline implements Timeline {
  private readonly database: CatalogDatabase;

  /** @param reader connections for reading */
  constructor(
    reader: Knex,
    private readonly slowReads: SlowReads,
    private readonly calendar: Calendar,
  ) {
    this.database = new CatalogDatabase(reader);
  }

  async periods(period: Period): Promise<readonly PeriodCount[]> {
    return this.periodCounts(period, await this.countedDays(period));
  }

  async matchingPeriods(
    period: Period,
    filter: SearchFilter,
    limit: TimeLimit,
  ): Promise<readonly PeriodCount[]> {
    const counted = await this.database.run(() =>
      this.slowReads.run(limit, (reader) => this.countedMatching(reader, period, filter)),
    );
    return this.periodCounts(period, counted);
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

  private async countedDays(period: Period): Promise<readonly Counted[]> {
    const reader = this.database;
    const days = sql('(select day, images from timeline_days) days');
    if (period !== 'day') return await this.countedFrom(reader, period, days);
    return await this.pairsIn(reader, sql('select day as number, images from timeline_days'));
  }

  private async countedMatching(
    reader: RowReader,
    period: Period,
    filter: SearchFilter,
  ): Promise<readonly Counted[]> {
    const conditions = await conditionsOf(
      { reader, dialect: this.database.dialect, limits: SEARCH_LIMITS },
      filter,
    );
    if (conditions === undefined) return [];
    const end = await this.database.dialect.highestId(this.database.reader);
    const total = new Map<number, number>();
    // What repeats ids is read as a whole in each span.
    const span = conditions.sources[0]?.repeats === true ? end + 1 : IDS_AT_A_TIME;
    for (let first = 0; first <= end; first += span) {
      const inSpan = (column: string): SqlFragment =>
        sql(`${column} between ? and ?`, first, first + span - 1);
      const ids = matchingIds({ ...conditions, idBounds: [...conditions.idBounds, inSpan] });
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

function daysOf(ids: SqlFragment): SqlFragment {
  return sql(
    `(select image_metadata.taken_day as day, 1 as images from (${ids.sql}) matching
    join image_metadata on image_metadata.image_id = matching.image_id) days`,
    ...ids.bindings,
  );
}
