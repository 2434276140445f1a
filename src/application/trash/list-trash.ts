import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Trash, TrashedImage, TrashPageQuery, TrashPosition } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';

export interface TrashPage {
  readonly images: readonly TrashedImage[];
  /** `undefined` if there is no further image. */
  readonly next: TrashPosition | undefined;
}

/** Bounds memory, not the response. */
const BATCH_SIZE = 100;

export class ListTrash {
  constructor(private readonly trash: InSpaces<Pick<Trash, 'findPage'>>) {}

  async page(space: Space, { after, limit }: TrashPageQuery): Promise<TrashPage> {
    const found = await this.trash.in(space).findPage({ after, limit: limit + 1 });
    const images = found.slice(0, limit);
    const last = images.at(-1);
    const hasMore = found.length > limit && last !== undefined;
    return { images, next: hasMore ? { trashedAt: last.trashedAt, id: last.image.id } : undefined };
  }

  /** Images that are deleted meanwhile are left out: they come before all others. */
  async *batches(
    space: Space,
    after?: TrashPosition,
  ): AsyncGenerator<readonly TrashedImage[], void, undefined> {
    let position = after;
    do {
      const { images, next } = await this.page(space, { after: position, limit: BATCH_SIZE });
      if (images.length > 0) yield images;
      position = next;
    } while (position !== undefined);
  }
}
