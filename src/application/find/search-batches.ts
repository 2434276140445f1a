import type { CatalogImage } from '../../domain/image/image.ts';
import type {
  ImageSearch,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchSort,
} from '../../domain/ports/records/image-search.ts';
import type { Page, Placed } from '../../domain/ports/records/page.ts';

/** What is read at a time is bounded, and not the response: 32 of the longest records hold 1 MiB. */
const RECORDS = 32;
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

/** The parts of a page, each read when it is asked for. At least one; a part may be empty. */
export async function* recordPortions(
  search: ImageSearch,
  found: SearchPage,
): AsyncGenerator<Page<CatalogImage, SearchPlace>, void, undefined> {
  let begin = 0;
  do {
    const part = found.items.slice(begin, begin + RECORDS);
    begin += RECORDS;
    const next = begin < found.items.length ? part.at(-1)?.position : found.next;
    yield { items: await recordsOf(search, part), next };
  } while (begin < found.items.length);
}

async function recordsOf(
  search: ImageSearch,
  found: SearchPage['items'],
): Promise<ReadonlyArray<Placed<CatalogImage, SearchPlace>>> {
  if (found.length === 0) return [];
  const records = await search.findRecords(found.map(({ item }) => item));
  const byId = new Map(records.map((image) => [image.id, image]));
  return found.flatMap(({ item: id, position }) => {
    const item = byId.get(id);
    return item === undefined ? [] : [{ item, position }];
  });
}
