export interface Page<Item, Position> {
  readonly items: readonly Item[];
  /** Behind it there are more items; `undefined` if there are none. */
  readonly next: Position | undefined;
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
