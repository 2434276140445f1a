import type { Name, NamedImage } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { NameListQuery, Names } from '../../domain/ports/records/names.ts';
import { type Page, pageOf } from '../../domain/ports/records/page.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { pagesFrom } from '../find/pages-from.ts';
import type { Searches } from '../find/searches.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 500;

export class ListNames {
  constructor(
    private readonly names: InSpaces<Names>,
    private readonly searches: Searches,
  ) {}

  /** @throws {StorageUnavailable} */
  async page(space: Space, query: NameListQuery): Promise<Page<NamedImage, Name>> {
    const found = await this.names.in(space).list({ ...query, limit: query.limit + 1 });
    return pageOf(
      found.map((named) => ({ item: named, position: named.name })),
      query.limit,
    );
  }

  batches(
    space: Space,
    { prefix, after }: Omit<NameListQuery, 'limit'>,
    caller: Caller,
  ): AsyncGenerator<readonly NamedImage[], void, undefined> {
    const turns = this.searches.turnsOf(caller, 'page');
    return pagesFrom(after, (last) =>
      turns.run(() => this.page(space, { prefix, after: last, limit: BATCH_SIZE })),
    );
  }
}
