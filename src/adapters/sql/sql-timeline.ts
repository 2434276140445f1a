import type { Knex } from 'knex';
import { Overloaded } from '../../domain/errors.ts';
import { type Calendar, DAYS_OF_PERIOD, formatPeriod, type Period } from '../../domain/image/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../domain/ports/image-search.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';
import { conditionsOf, SEARCH_LIMITS, type SearchConditions } from './search-sources.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { rowsOf, type SqlFragment, sql } from './sql-fragment.ts';
import { matchingIds } from './sql-image-search.ts';

/** About a tenth of a second. */
const IDS_AT_A_TIME = 100_000;

const MAX_COUNTING_MS = 10_000;

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
    if (Object.values(filter).every((condition) => condition === undefined))
      return await this.countedDays(period);
    const conditions = await conditionsOf(this.reader, filter, SEARCH_LIMITS);
    return conditions === undefined ? [] : await this.countedMatching(period, conditions);
  }

  private async countedDays(period: Period): Promise<readonly Counted[]> {
    const days = sql('(select day, images from timeline_days) days');
    if (period !== 'day') return await this.countedFrom(period, days);
    return await this.pairsIn(sql('select day as number, images from timeline_days'));
  }

  /** In spans of ids, between which other requests use the connection. */
  private async countedMatching(period: Period, conditions: SearchConditions): Promise<readonly Counted[]> {
    const end = await this.dialect.highestId(this.reader);
    const started = performance.now();
    const total = new Map<number, number>();
    // What repeats ids is read as a whole in each span.
    const span = conditions.sources[0]?.repeats === true ? end + 1 : IDS_AT_A_TIME;
    for (let first = 0; first <= end; first += span) {
      if (performance.now() - started > MAX_COUNTING_MS) throw new Overloaded();
      const inSpan = (column: string): SqlFragment =>
        sql(`${column} between ? and ?`, first, first + span - 1);
      const ids = matchingIds({ ...conditions, idBounds: [...conditions.idBounds, inSpan] });
      for (const [number, images] of await this.countedFrom(period, daysOf(ids)))
        total.set(number, (total.get(number) ?? 0) + images);
    }
    return [...total];
  }

  /** @param days a table with the columns `day` and `images` */
  private async countedFrom(period: Period, days: SqlFragment): Promise<readonly Counted[]> {
    const periods = `select day / ${DAYS_OF_PERIOD[period]} as number, sum(images) as images from ${days.sql} group by 1`;
    return await this.pairsIn(sql(periods, ...days.bindings));
  }

  private async pairsIn(periods: SqlFragment): Promise<readonly Counted[]> {
    const [row] = await rowsOf<{ readonly json: string | null }>(
      this.reader,
      sql(
        `select ${this.dialect.jsonOf('number, images')} as json from (${periods.sql}) periods`,
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
