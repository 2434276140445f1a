import { type Page, pageOf } from '../../domain/ports/records/page.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { pagesFrom } from './pages-from.ts';
import type { Searches } from './searches.ts';

interface PageQuery<Position> {
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** A list that is read in its own order, whatever is asked for. */
export interface PagedList<Item, Position, Query extends PageQuery<Position>> {
  readonly read: (space: Space, query: Query) => Promise<readonly Item[]>;
  readonly positionOf: (item: Item) => Position;
  /** Bounds memory, not the response. */
  readonly batchSize: number;
}

export class ListPages<Item, Position, Query extends PageQuery<Position>> {
  constructor(
    private readonly list: PagedList<Item, Position, Query>,
    private readonly searches: Searches,
  ) {}

  /** @throws {StorageUnavailable} */
  async page(space: Space, query: Query): Promise<Page<Item, Position>> {
    const { read, positionOf } = this.list;
    const found = await read(space, { ...query, limit: query.limit + 1 });
    return pageOf(
      found.map((item) => ({ item, position: positionOf(item) })),
      query.limit,
    );
  }

  /** Items that are removed meanwhile are left out. */
  batches(
    space: Space,
    query: Omit<Query, 'limit'>,
    caller: Caller,
  ): AsyncGenerator<readonly Item[], void, undefined> {
    const turns = this.searches.turnsOf(caller, 'page');
    const limit = this.list.batchSize;
    return pagesFrom(query.after, (after) =>
      turns.run(() => this.page(space, { ...query, after, limit } as Query)),
    );
  }
}
