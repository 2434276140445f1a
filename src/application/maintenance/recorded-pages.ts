import type { Image } from '../../domain/image/image.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { TrashTransfer } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';

export interface RecordedImage {
  readonly image: Image;
  readonly space: Space;
  readonly isTrashed: boolean;
}

export interface RecordedImages {
  readonly images: Pick<AllImages, 'findPage'>;
  readonly trash: Pick<TrashTransfer, 'findAll'>;
}

/** Images and trash together, in the order of the ids, from the one behind `after`. */
export async function* recordedPages(
  { images, trash }: RecordedImages,
  limit: number,
  after = 0,
): AsyncGenerator<readonly RecordedImage[], void, undefined> {
  for (let last = after; last < Number.POSITIVE_INFINITY; ) {
    const live = await images.findPage({ order: 'asc', after: last, limit });
    const trashed = await trash.findAll(last, limit);
    const end = Math.min(endOf(live, limit), endOf(trashed, limit));
    const page = [
      ...live.map((image) => ({ image, space: image.space, isTrashed: false })),
      ...trashed.map((image) => ({ image, space: image.space, isTrashed: true })),
    ];
    yield page.filter(({ image }) => image.id <= end).toSorted((a, b) => a.image.id - b.image.id);
    last = end;
  }
}

/** Up to which id a page says everything. */
function endOf(page: readonly Image[], limit: number): number {
  return (page.length < limit ? undefined : page.at(-1)?.id) ?? Number.POSITIVE_INFINITY;
}
