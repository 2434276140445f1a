import type { Page } from '../../domain/ports/records/page.ts';

/** The items of all pages behind `after`. No batch is empty: pages may be, and what a page says is next may be removed before it is read. */
export async function* pagesFrom<Item, Position>(
  after: Position | undefined,
  read: (after: Position | undefined) => Promise<Page<Item, Position>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let position = after;
  do {
    const { items, next } = await read(position);
    if (items.length > 0) yield items.map(({ item }) => item);
    position = next;
  } while (position !== undefined);
}
