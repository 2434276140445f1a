import { setMaxListeners } from 'node:events';
import type { Caller } from '../../../src/application/concurrency/caller.ts';
import { PortionQueue } from '../../../src/application/concurrency/portion-queue.ts';
import { SEARCH_POLICY, type Searches } from '../../../src/application/find/searches.ts';
import type { Turns } from '../../../src/domain/ports/process/turns.ts';
import { ManualTime } from '../time/manual-time.ts';

/** The signal of a client that does not leave. */
export const STAYING: AbortSignal = new AbortController().signal;
// One of a request has few listeners, and this one is that of all.
setMaxListeners(0, STAYING);

export const CALLER: Caller = { subject: 'a', leaving: STAYING };

/** Of a request that never waits. */
export const AT_ONCE: Turns = { stopped: STAYING, run: (portion) => portion() };

/** For requests that do not wait longer than others run. */
export const NO_TIMER = new ManualTime().after;

export function newSearches(): Searches {
  return new PortionQueue(SEARCH_POLICY, NO_TIMER);
}
