import type { Period } from '../../domain/image/time/calendar.ts';
import {
  isUnfiltered,
  type PeriodCount,
  type SearchFilter,
  type Timeline,
} from '../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller, Turns } from '../concurrency/turns.ts';

const MAX_COUNTING_MS = 10_000;

export class CountPeriods {
  /** @param turns shared by all that counts */
  constructor(
    private readonly timeline: InSpaces<Timeline>,
    private readonly turns: Turns,
  ) {}

  /** @throws {Overloaded | StorageUnavailable} */
  async execute(
    space: Space,
    period: Period,
    filter: SearchFilter,
    caller: Caller,
  ): Promise<readonly PeriodCount[]> {
    const timeline = this.timeline.in(space);
    if (isUnfiltered(filter)) return await timeline.periods(period);
    return await this.turns.run(caller, MAX_COUNTING_MS, (limit) =>
      timeline.matchingPeriods(period, filter, limit),
    );
  }
}
