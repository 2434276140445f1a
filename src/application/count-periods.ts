import type { Period } from '../domain/image/calendar.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../domain/ports/image-search.ts';

export class CountPeriods {
  constructor(private readonly timeline: Timeline) {}

  /** @throws {Overloaded | StorageUnavailable} */
  async execute(period: Period, filter: SearchFilter): Promise<readonly PeriodCount[]> {
    return await this.timeline.periods(period, filter);
  }
}
