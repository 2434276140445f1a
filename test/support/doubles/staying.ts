import { type Caller, FairQueue } from '../../../src/application/concurrency/fair-queue.ts';
import { SEARCH_SHARES, type Searches } from '../../../src/application/find/search-shares.ts';
import type { Turns } from '../../../src/domain/ports/process/turns.ts';
import { ManualTime } from '../time/manual-time.ts';

/** The signal of a client that does not leave. */
export const STAYING: AbortSignal = new AbortController().signal;

export const CALLER: Caller = { subject: 'a', leaving: STAYING };

/** Of a request that never waits. */
export const AT_ONCE: Turns = { stopped: STAYING, run: (portion) => portion() };

/** For requests that do not wait longer than others run. */
export const NO_TIMER = new ManualTime().after;

export function newSearches(): Searches {
  return new FairQueue(SEARCH_SHARES, NO_TIMER);
}
