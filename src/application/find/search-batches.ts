import type { CatalogImage } from '../../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPlace,
  SearchSort,
} from '../../domain/ports/records/image-search.ts';
import { pagesFrom } from './pages-from.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 100;

export interface ListingQuery {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  readonly after?: SearchPlace | undefined;
}

/**
 * Concurrent changes cause no repeated and no skipped images. Images that are uploaded meanwhile are left out, so uploads do not
 * make a listing endless.
 */
export async function* searchBatches(
  search: ImageSearch,
  query: ListingQuery,
): AsyncGenerator<readonly CatalogImage[], void, undefined> {
  const upToId = await search.highestId();
  yield* pagesFrom(query.after, (after) => search.findPage({ ...query, after, upToId, limit: BATCH_SIZE }));
}
