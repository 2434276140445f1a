import type { Knex } from 'knex';
import { type Calendar, DAYS_OF_PERIOD, formatPeriod, type Period } from '../../domain/image/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../domain/ports/image-search.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';
import { rowsOf, type SqlFragment, sql } from './sql-fragment.ts';
import { matchingRows } from './sql-image-search.ts';

interface PeriodRow {
  readonly period: number;
  readonly images: number | string;
}

/** Counts all images from one row per day, and images that match a filter from the images. */
export class SqlTimeline implements Timeline {
  /** @param reader a connection for reading */
  constructor(
    private readonly reader: Knex,
    private readonly calendar: Calendar,
  ) {}

  async periods(period: Period, filter: SearchFilter): Promise<readonly PeriodCount[]> {
    const rows = await translatingDatabaseErrors(dialectOf(this.reader), async () => {
      const statement = await this.statement(period, filter);
      return statement === undefined ? [] : await rowsOf<PeriodRow>(this.reader, statement);
    });
    return rows.map(({ period: number, images }) => ({
      period: formatPeriod(period, number),
      count: Number(images),
      after: { by: 'taken', time: this.calendar.endOf(period, number), id: 0 },
    }));
  }

  /** `undefined` if no image can match. */
  private async statement(period: Period, filter: SearchFilter): Promise<SqlFragment | undefined> {
    const days = DAYS_OF_PERIOD[period];
    if (Object.values(filter).every((condition) => condition === undefined))
      return sql(
        `select day / ${days} as period, sum(images) as images from timeline_days group by 1 order by 1 desc`,
      );
    const matching = await matchingRows(this.reader, filter);
    return (
      matching &&
      sql(
        `select image_metadata.taken_day / ${days} as period, count(*) as images from ${matching.sql}
        group by 1 order by 1 desc`,
        ...matching.bindings,
      )
    );
  }
}
