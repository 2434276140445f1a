import { SpaceNotFound } from '../../domain/errors.ts';
import type { Page } from '../../domain/ports/records/page.ts';
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

  /** A page in one part, which may be short or empty although `next` is set. */
  async *page(query: SpacePageQuery): AsyncGenerator<Page<SpaceStatus, Space>, void, undefined> {
    yield await this.spaces.findPage(query);
  }

  batches(first: Space | undefined, caller: Caller): AsyncGenerator<readonly SpaceStatus[], void, undefined> {
    const turns = this.searches.turnsOf(caller, 'page');
    return pagesFrom(first, (after) => turns.run(() => this.spaces.findPage({ after, limit: BATCH_SIZE })));
  }
}
