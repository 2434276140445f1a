import type { FairQueue, Shares } from '../concurrency/fair-queue.ts';

/** A count may be a timeline as well: it looks at all that matches. */
type SearchKind = 'page' | 'count';

/** All that looks at more than it shows. Each portion is one statement, or a few short ones. */
export type Searches = FairQueue<SearchKind>;

const PLACES = 4;
const SHARE = 2;

/** One subject never has the last place. */
export const SEARCH_SHARES: Shares<SearchKind> = {
  places: PLACES,
  mayBegin: (kind, own, othersWait) => {
    if (!othersWait) return own.length < PLACES - 1;
    return own.length < SHARE && (kind === 'page' || !own.includes('count'));
  },
};
