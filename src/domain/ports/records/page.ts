/** An item of a listing. */
export interface Placed<Item, Position> {
  readonly item: Item;
  /** Where a page begins that goes on behind the item. */
  readonly position: Position;
}

export interface Page<Item, Position> {
  readonly items: ReadonlyArray<Placed<Item, Position>>;
  /** Where the listing goes on: the page may have been cut short, and may even be empty. `undefined` at the end of the listing. */
  readonly next: Position | undefined;
}

/** @param found one item more than the limit if there are more */
export function pageOf<Item, Position>(
  found: ReadonlyArray<Placed<Item, Position>>,
  limit: number,
): Page<Item, Position> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? items.at(-1)?.position : undefined };
}
