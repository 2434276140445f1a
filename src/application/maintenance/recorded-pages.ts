import type { Image } from '../../domain/image/image.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { RecordedImage, TrashTransfer } from '../../domain/ports/records/trash.ts';

export interface RecordedImages {
  readonly images: Pick<AllImages, 'findPage'>;
  readonly trash: Pick<TrashTransfer, 'findAll'>;
}

/**
 * Images and trash together, in the order of the ids, from the one behind `after`. An image that is moved meanwhile comes at most
 * once.
 */
export async function* recordedPages(
  { images, trash }: RecordedImages,
  limit: number,
  after = 0,
): AsyncGenerator<readonly RecordedImage[], void, undefined> {
  for (let last = after; last < Number.POSITIVE_INFINITY; ) {
    const live = await images.findPage({ order: 'asc', after: last, limit });
    const trashed = await trash.findAll(last, limit);
    const end = Math.min(endOf(live, limit), endOf(trashed, limit));
    // The trash was read later.
    const byId = new Map([...live, ...trashed].map((image) => [image.id, image]));
    yield [...byId.values()].filter(({ id }) => id <= end).toSorted((a, b) => a.id - b.id);
    last = end;
  }
}

/** Up to which id a page says everything. */
function endOf(page: readonly Image[], limit: number): number {
  return (page.length < limit ? undefined : page.at(-1)?.id) ?? Number.POSITIVE_INFINITY;
}
