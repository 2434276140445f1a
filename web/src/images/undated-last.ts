import type { ImagePage, PageQuery, PeriodCount, TimelineQuery } from '@image-catalog/client';
import { ANY_TIME } from './any-time.ts';
import { UNDATED } from './list-plan.ts';
import type { ImagePages } from './page-reader.ts';

/** Of which pictures a page is. */
type Part = 'all' | 'dated' | 'undated';

type RequestOptions = Parameters<ImagePages['page']>[1];

/** Months of more pictures take the service some seconds to count without those that have no capture time. */
const MOST_DIVIDED = 2_000_000;

/**
 * The timeline as a person expects it: a month has what was taken in it, and pictures without a capture time are a group of
 * their own behind all months. The service has them among the others, by the time of their upload.
 *
 * Cursors name their part: a list is read from one into the next.
 */
export class UndatedLast implements ImagePages {
  readonly #pages: ImagePages;
  #isInterleaved = false;

  constructor(pages: ImagePages) {
    this.#pages = pages;
  }

  /** Whether the list is as the service has it, since the last timeline: it is too large to be divided. */
  get isInterleaved(): boolean {
    return this.#isInterleaved;
  }

  readonly page = async (
    { after, ...query }: PageQuery = {},
    options?: RequestOptions,
  ): Promise<ImagePage> => {
    const [first, second]: readonly Part[] =
      query.order === 'desc' ? ['dated', 'undated'] : ['undated', 'dated'];
    const start = this.#isInterleaved ? 'all' : first;
    const [part = 'all', cursor = ''] = after === undefined ? [start] : cursorOf(after);
    const place = cursor === '' ? {} : { after: cursor };
    const page = await this.#pages.page({ ...queryOf(part, query), ...place }, options);
    const next = page.next ?? (part === first ? '' : undefined);
    return {
      ...page,
      next: next === undefined ? undefined : `${page.next === undefined ? second : part} ${next}`,
    };
  };

  readonly timeline = async (
    { by, ...filters }: TimelineQuery,
    options?: RequestOptions,
  ): Promise<readonly PeriodCount[]> => {
    const undated = this.#isInterleaved
      ? Promise.resolve([])
      : this.#pages.timeline({ ...filters, dated: false, by }, options);
    // Together with the first page they would be three searches.
    if (Object.keys(filters).length > 0) await undated;
    const [all, apart] = await Promise.all([this.#pages.timeline({ ...filters, by }, options), undated]);
    this.#isInterleaved ||= apart.length > 0 && countOf(all) > MOST_DIVIDED;
    if (apart.length === 0 || this.#isInterleaved) return all.map(placedIn('all'));
    const dated = await this.#pages.timeline({ ...filters, takenAfter: ANY_TIME, by }, options);
    const group = apart.map(placedIn('undated')).map((period) => ({ ...period, period: UNDATED }));
    // The days of their upload are places to read from.
    const sections =
      by === 'day' ? group : group.slice(0, 1).map((first) => ({ ...first, count: countOf(group) }));
    return [...dated.map(placedIn('dated')), ...sections];
  };
}

function queryOf(part: Part, query: PageQuery): PageQuery {
  if (part === 'dated') return { ...query, takenAfter: ANY_TIME };
  return part === 'undated' ? { ...query, dated: false } : query;
}

function placedIn(part: Part): (period: PeriodCount) => PeriodCount {
  return (period) => ({ ...period, after: `${part} ${period.after}` });
}

function cursorOf(after: string): readonly [part: Part, cursor: string] {
  const [part = ''] = after.split(' ', 1);
  return [part as Part, after.slice(part.length + 1)];
}

function countOf(periods: readonly PeriodCount[]): number {
  return periods.reduce((sum, { count }) => sum + count, 0);
}
