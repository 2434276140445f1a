import type { CatalogImage } from '../../domain/image/image.ts';
import type { ImageSearch, SearchPage, SearchPlace } from '../../domain/ports/records/image-search.ts';
import type { Page } from '../../domain/ports/records/page.ts';

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
