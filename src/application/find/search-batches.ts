import type { CatalogImage } from '../../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchSort,
} from '../../domain/ports/records/image-search.ts';
import type { Page } from '../../domain/ports/records/page.ts';

/** Found at a time. */
const IDS = 1_000;

export interface ListingQuery {
  readonly filter: SearchFilter;
  readonly sort: SearchSort;
  readonly after?: SearchPlace | undefined;
}

/**
 * Concurrent changes cause no repeated and no skipped images. Images that are uploaded meanwhile are left out, so uploads do not
 * make a listing endless. No batch is empty.
 */
export async function* searchBatches(
  search: ImageSearch,
  query: ListingQuery,
): AsyncGenerator<readonly CatalogImage[], void, undefined> {
  const upToId = await search.highestId();
  let { after } = query;
  do {
    const found = await search.findPage({ ...query, after, upToId, limit: IDS });
    for await (const { items } of recordPortions(search, found)) {
      if (items.length > 0) yield items.map(({ item }) => item);
    }
    after = found.next;
  } while (after !== undefined);
}

/** The parts of a page, each read when it is asked for. The last one is empty, and has where the listing goes on. */
export async function* recordPortions(
  search: ImageSearch,
  { items, next }: SearchPage,
): AsyncGenerator<Page<CatalogImage, SearchPlace>, void, undefined> {
  const positions = new Map(items.map(({ item, position }) => [item, position]));
  for await (const images of search.readRecords([...positions.keys()])) {
    const placed = images.flatMap((item) => {
      const position = positions.get(item.id);
      return position === undefined ? [] : [{ item, position }];
    });
    yield { items: placed, next: placed.at(-1)?.position };
  }
  yield { items: [], next };
}
