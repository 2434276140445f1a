import type { CatalogImage } from '../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchQuery,
  SearchSort,
} from '../domain/ports/image-search.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 100;

export interface ListingQuery {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  readonly after?: SearchPlace | undefined;
}

export class ListImages {
  constructor(private readonly images: ImageSearch) {}

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

  async count(filter: SearchFilter): Promise<number> {
    return await this.images.count(filter);
  }
}
