import type { PortionPolicy, PortionQueue } from '../concurrency/portion-queue.ts';
import { ALL } from '../concurrency/queue-policy.ts';

/** A count may be a timeline as well: it looks at all that matches. */
type SearchKind = 'page' | 'count';

/** All that looks at more than it shows. Each portion is one statement, or a few short ones. */
export type Searches = PortionQueue<SearchKind>;

/** Portions at a time. */
export const SEARCH_SLOTS = 4;

/** One subject never has the last slot. While others wait it has two, one of them for a count. */
export const SEARCH_POLICY: PortionPolicy<SearchKind> = {
  reason: 'searches',
  running: ({ subject, kind }, othersWait) => [
    { label: ALL, max: SEARCH_SLOTS },
    { label: `subject ${subject}`, max: othersWait ? 2 : SEARCH_SLOTS - 1 },
    ...(kind === 'count' ? [{ label: `counts of ${subject}`, max: othersWait ? 1 : SEARCH_SLOTS }] : []),
  ],
};
