import { Overloaded } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import {
  type ImageSearch,
  isUnfiltered,
  type SearchFilter,
  type SearchPlace,
  type SearchQuery,
} from '../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Page } from '../../domain/ports/records/page.ts';
import type { SpaceUsage } from '../../domain/ports/records/spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller, Turns } from '../concurrency/turns.ts';
import { type ListingQuery, recordPortions, searchBatches } from './search-batches.ts';

const MAX_COUNT_MS = 2_000;

export class ListImages {
  /** @param turns shared by all that counts */
  constructor(
    private readonly images: InSpaces<ImageSearch>,
    private readonly usage: SpaceUsage,
    private readonly turns: Turns,
  ) {}

  /** One page, in parts: the reader may end it behind any image. */
  async *page(
    space: Space,
    query: SearchQuery,
  ): AsyncGenerator<Page<CatalogImage, SearchPlace>, void, undefined> {
    const images = this.images.in(space);
    yield* recordPortions(images, await images.findPage(query));
  }

  batches(space: Space, query: ListingQuery): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    return searchBatches(this.images.in(space), query);
  }

  /** `undefined` if counting takes too long, the wait for other counts included: a page is shown without it. */
  async count(space: Space, filter: SearchFilter, caller: Caller): Promise<number | undefined> {
    if (isUnfiltered(filter)) return (await this.usage.find(space)).images;
    const images = this.images.in(space);
    try {
      return await this.turns.run(caller, MAX_COUNT_MS, (limit) => images.count(filter, limit));
    } catch (error) {
      if (error instanceof Overloaded) return undefined;
      throw error;
    }
  }
}
