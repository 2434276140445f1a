import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import { type Page, pageOf } from '../../domain/ports/records/page.ts';
import type { Trash, TrashedImage, TrashPageQuery, TrashPosition } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { pagesFrom } from '../find/pages-from.ts';
import type { Searches } from '../find/searches.ts';

/** Bounds memory, not the response: the longest records, with their descriptions, take 64 KiB each. */
const BATCH_SIZE = 16;

export class ListTrash {
  constructor(
    private readonly trash: InSpaces<Pick<Trash, 'findPage'>>,
    private readonly searches: Searches,
  ) {}

  async page(space: Space, { after, limit }: TrashPageQuery): Promise<Page<TrashedImage, TrashPosition>> {
    const found = await this.trash.in(space).findPage({ after, limit: limit + 1 });
    return pageOf(
      found.map((trashed) => ({
        item: trashed,
        position: { trashedAt: trashed.trashedAt, id: trashed.image.id },
      })),
      limit,
    );
  }

  /** Images that are deleted meanwhile are left out: they come before all others. */
  batches(
    space: Space,
    after: TrashPosition | undefined,
    caller: Caller,
  ): AsyncGenerator<readonly TrashedImage[], void, undefined> {
    const turns = this.searches.turnsOf(caller, 'page');
    return pagesFrom(after, (position) =>
      turns.run(() => this.page(space, { after: position, limit: BATCH_SIZE })),
    );
  }
}
