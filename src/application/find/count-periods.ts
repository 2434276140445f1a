import type { Period } from '../../domain/image/time/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../domain/ports/records/image-search.ts';
import type { Caller, Turns } from '../concurrency/turns.ts';

const MAX_COUNTING_MS = 10_000;

export class CountPeriods {
  /** @param turns shared by all that counts */
  constructor(
    private readonly timeline: Timeline,
    private readonly turns: Turns,
  ) {}

  /** @throws {Overloaded | StorageUnavailable} */
  async execute(period: Period, filter: SearchFilter, caller: Caller): Promise<readonly PeriodCount[]> {
    const isFiltered = Object.values(filter).some((condition) => condition !== undefined);
    if (!isFiltered) return await this.timeline.periods(period);
    return await this.turns.run(caller, MAX_COUNTING_MS, (limit) =>
      this.timeline.matchingPeriods(period, filter, limit),
    );
  }
}
