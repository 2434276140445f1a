import { SpaceNotFound } from '../../domain/errors.ts';
import { type Page, pageOf } from '../../domain/ports/records/page.ts';
import type { SpacePageQuery, SpaceRecords, SpaceStatus } from '../../domain/ports/records/space-records.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { pagesFrom } from '../find/pages-from.ts';
import type { Searches } from '../find/searches.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 1000;

/** The spaces that have an image or a limit of their own, by code point. Every method throws `StorageUnavailable`. */
export class ListSpaces {
  constructor(
    private readonly spaces: SpaceRecords,
    private readonly searches: Searches,
  ) {}

  /** @throws {SpaceNotFound} */
  async find(space: Space): Promise<SpaceStatus> {
    const status = await this.spaces.findStatus(space);
    if (status === undefined) throw new SpaceNotFound();
    return status;
  }

  async page(query: SpacePageQuery): Promise<Page<SpaceStatus, Space>> {
    const found = await this.spaces.findPage({ ...query, limit: query.limit + 1 });
    return pageOf(
      found.map((status) => ({ item: status, position: status.space })),
      query.limit,
    );
  }

  batches(first: Space | undefined, caller: Caller): AsyncGenerator<readonly SpaceStatus[], void, undefined> {
    const turns = this.searches.turnsOf(caller, 'page');
    return pagesFrom(first, (after) => turns.run(() => this.page({ after, limit: BATCH_SIZE })));
  }
}
