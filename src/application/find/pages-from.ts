export interface Page<Item, Position> {
  readonly items: readonly Item[];
  /** Behind it there are more items; `undefined` if there are none. */
  readonly next: Position | undefined;
}

/** @param found one item more than the limit if there are more */
export function pageOf<Item, Position>(
  found: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, next: hasMore ? positionOf(last) : undefined };
}

/** The items of all pages behind `after`. No batch is empty: what a page says is next may be removed before it is read. */
export async function* pagesFrom<Item, Position>(
  after: Position | undefined,
  read: (after: Position | undefined) => Promise<Page<Item, Position>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let position = after;
  do {
    const { items, next } = await read(position);
    if (items.length > 0) yield items;
    position = next;
  } while (position !== undefined);
}
