import { Overloaded } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchQuery,
} from '../../domain/ports/records/image-search.ts';
import type { Caller, Turns } from '../concurrency/turns.ts';
import { type ListingQuery, searchBatches } from './search-batches.ts';

const MAX_COUNT_MS = 2_000;

export class ListImages {
  /** @param turns shared by all that counts */
  constructor(
    private readonly images: ImageSearch,
    private readonly turns: Turns,
  ) {}

  async page(query: SearchQuery): Promise<SearchPage> {
    return await this.images.findPage(query);
  }

  batches(query: ListingQuery): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    return searchBatches(this.images, query);
  }

  /** `undefined` if counting takes too long, the wait for other counts included: a page is shown without it. */
  async count(filter: SearchFilter, caller: Caller): Promise<number | undefined> {
    try {
      return await this.turns.run(caller, MAX_COUNT_MS, (limit) => this.images.count(filter, limit));
    } catch (error) {
      if (error instanceof Overloaded) return undefined;
      throw error;
    }
  }
}
