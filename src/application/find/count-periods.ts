import type { Period } from '../../domain/image/time/calendar.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { PeriodCount, SearchFilter, Timeline } from '../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { runWithin } from '../concurrency/run-within.ts';
import type { Searches } from './searches.ts';

const MAX_COUNTING_MS = 10_000;

export class CountPeriods {
  constructor(
    private readonly timeline: InSpaces<Timeline>,
    private readonly searches: Searches,
    private readonly timer: Timer,
  ) {}

  /** @throws {Overloaded | StorageUnavailable} */
  async execute(
    space: Space,
    period: Period,
    filter: SearchFilter,
    caller: Caller,
  ): Promise<readonly PeriodCount[]> {
    const bound = { ms: MAX_COUNTING_MS, ended: caller.leaving, reason: 'time' } as const;
    return await runWithin(this.timer, bound, (leaving) =>
      this.timeline.in(space).periods(period, filter, this.searches.turnsOf({ ...caller, leaving }, 'count')),
    );
  }
}
