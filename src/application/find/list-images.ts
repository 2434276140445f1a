import { Overloaded } from '../../domain/errors.ts';
import { hasConditions } from '../../domain/image/fields.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import {
  type ImageSearch,
  isUnfiltered,
  type SearchFilter,
  type SearchPlace,
  type SearchQuery,
} from '../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Page } from '../../domain/ports/records/page.ts';
import type { SpaceUsage } from '../../domain/ports/records/space-records.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { runWithin } from '../concurrency/run-within.ts';
import { pagesFrom } from './pages-from.ts';
import type { Searches } from './searches.ts';

/** Ids found at a time. */
const BATCH_SIZE = 1_000;
const MAX_COUNT_MS = 2_000;

export type ListingQuery = Omit<SearchQuery, 'upToId' | 'limit'>;

export class ListImages {
  constructor(
    private readonly images: InSpaces<ImageSearch>,
    private readonly usage: SpaceUsage,
    private readonly searches: Searches,
    private readonly timer: Timer,
  ) {}

  /**
   * One page, in parts, each read when it is asked for: the reader may end it behind any image. The last part is empty, and has where
   * the listing goes on.
   *
   * @throws {InvalidPlace | Overloaded | StorageUnavailable}
   */
  async *page(
    space: Space,
    query: SearchQuery,
    caller: Caller,
  ): AsyncGenerator<Page<CatalogImage, SearchPlace>, void, undefined> {
    const images = this.images.in(space);
    const turns = isSearch(query.filter) ? this.searches.turnsOf(caller, 'page') : undefined;
    const { items, next } = await images.findPage(query, turns);
    const positions = new Map(items.map(({ item, position }) => [item, position]));
    for await (const portion of images.readRecords([...positions.keys()])) {
      const placed = portion.flatMap((item) => {
        const position = positions.get(item.id);
        return position === undefined ? [] : [{ item, position }];
      });
      yield { items: placed, next: placed.at(-1)?.position };
    }
    yield { items: [], next };
  }

  /**
   * Concurrent changes cause no repeated and no skipped images. Images that are uploaded meanwhile are left out, so uploads do not
   * make a listing endless.
   */
  async *batches(
    space: Space,
    query: ListingQuery,
    caller: Caller,
  ): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    const images = this.images.in(space);
    const turns = this.searches.turnsOf(caller, 'page');
    const upToId = await images.highestId();
    const found = pagesFrom(query.after, (after) =>
      images.findPage({ ...query, after, upToId, limit: BATCH_SIZE }, turns),
    );
    for await (const ids of found) {
      const portions = images.readRecords(ids)[Symbol.asyncIterator]();
      const read = (): Promise<IteratorResult<readonly CatalogImage[]>> => turns.run(() => portions.next());
      for (let portion = await read(); portion.done !== true; portion = await read()) {
        if (portion.value.length > 0) yield portion.value;
      }
    }
  }

  /** `undefined` if counting takes too long, the wait for other searches included: a page is shown without it. */
  async count(space: Space, filter: SearchFilter, caller: Caller): Promise<number | undefined> {
    if (isUnfiltered(filter)) return (await this.usage.find(space)).images;
    const images = this.images.in(space);
    try {
      const bound = { ms: MAX_COUNT_MS, ended: caller.leaving, reason: 'time' } as const;
      return await runWithin(this.timer, bound, (leaving) =>
        images.count(filter, this.searches.turnsOf({ ...caller, leaving }, 'count')),
      );
    } catch (error) {
      if (error instanceof Overloaded) return undefined;
      throw error;
    }
  }
}

/** Whether a page may look at many more images than it shows. */
function isSearch({ words, tags, ...others }: SearchFilter): boolean {
  return !isUnfiltered({ words, tags }) || hasConditions(others);
}
