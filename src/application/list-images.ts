import { Overloaded } from '../domain/errors.ts';
import type { CatalogImage } from '../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchQuery,
  SearchSort,
} from '../domain/ports/image-search.ts';
import type { Caller, Turns } from './turns.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 100;

const MAX_COUNT_MS = 2_000;

export interface ListingQuery {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  readonly after?: SearchPlace | undefined;
}

export class ListImages {
  /** @param turns shared by all that counts */
  constructor(
    private readonly images: ImageSearch,
    private readonly turns: Turns,
  ) {}

  async page(query: SearchQuery): Promise<SearchPage> {
    return await this.images.findPage(query);
  }

  /**
   * Concurrent changes cause no repeated and no skipped images. Images that are uploaded meanwhile are left out, so uploads do
   * not make a listing endless.
   */
  async *batches(query: ListingQuery): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    const upToId = await this.images.highestId();
    let after = query.after;
    do {
      const { images, next } = await this.images.findPage({ ...query, after, upToId, limit: BATCH_SIZE });
      if (images.length > 0) yield images;
      after = next;
    } while (after !== undefined);
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
