import type { Knex } from 'knex';
import { type Calendar, DAYS_OF_PERIOD, formatPeriod, type Period } from '../../domain/image/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../domain/ports/image-search.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { rowsOf, type SqlFragment, sql } from './sql-fragment.ts';
import { matchingIds } from './sql-image-search.ts';

/** Number of the period, and images. */
type Counted = readonly [number, number];

/** Counts all images from one row per day, and images that match a filter from the images. */
export class SqlTimeline implements Timeline {
  private readonly dialect: SqlDialect;

  /** @param reader a connection for reading */
  constructor(
    private readonly reader: Knex,
    private readonly calendar: Calendar,
  ) {
    this.dialect = dialectOf(reader);
  }

  async periods(period: Period, filter: SearchFilter): Promise<readonly PeriodCount[]> {
    const counted = await translatingDatabaseErrors(this.dialect, () => this.counted(period, filter));
    return counted
      .toSorted(([a], [b]) => b - a)
      .map(([number, count]) => ({
        period: formatPeriod(period, number),
        count,
        after: { by: 'taken', time: this.calendar.endOf(period, number), id: 0 },
      }));
  }

  private async counted(period: Period, filter: SearchFilter): Promise<readonly Counted[]> {
    const days = DAYS_OF_PERIOD[period];
    const isWhole = Object.values(filter).every((condition) => condition === undefined);
    const from = isWhole
      ? sql('(select day as period, images from timeline_days) days')
      : await this.matchingDays(filter);
    if (from === undefined) return [];
    const periods = `select period / ${days} as number, sum(images) as images from ${from.sql} group by 1`;
    const [row] = await rowsOf<{ readonly json: string | null }>(
      this.reader,
      sql(
        `select ${this.dialect.jsonOf('number, images')} as json from (${periods}) periods`,
        ...from.bindings,
      ),
    );
    return JSON.parse(row?.json ?? '[]') as readonly Counted[];
  }

  /** `undefined` if no image can match. */
  private async matchingDays(filter: SearchFilter): Promise<SqlFragment | undefined> {
    const matching = await matchingIds(this.reader, filter);
    if (matching === undefined) return undefined;
    return sql(
      `(select image_metadata.taken_day as period, 1 as images from (${matching.sql}) matching
      join image_metadata on image_metadata.image_id = matching.image_id) matching_days`,
      ...matching.bindings,
    );
  }
}
