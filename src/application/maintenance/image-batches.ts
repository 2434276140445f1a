import type { Image } from '../../domain/image/image.ts';
import type { AllImages, OwnedImage } from '../../domain/ports/records/image-repository.ts';
import type { TrashedRecord, TrashTransfer } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';

/** Bounds memory. */
const BATCH_SIZE = 100;

/** Oldest first. Concurrent changes cause no repeated and no skipped images. Ends at the image that was newest at the beginning. */
export async function* imageBatches(
  images: Pick<AllImages, 'findPage'>,
): AsyncGenerator<readonly OwnedImage[], void, undefined> {
  const [newest] = await images.findPage({ order: 'desc', limit: 1 });
  for await (const batch of imagePages(images, BATCH_SIZE)) {
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (last !== undefined && newest !== undefined && last.id >= newest.id) return;
  }
}

/** In the order of the ids, from the image behind `after`; by default of all spaces. The last page has fewer than `limit` images. */
export async function* imagePages(
  images: Pick<AllImages, 'findPage'>,
  limit: number,
  after?: number,
  space?: Space,
): AsyncGenerator<readonly OwnedImage[], void, undefined> {
  for (let last = after; ; ) {
    const page = await images.findPage({ space, order: 'asc', after: last, limit });
    yield page;
    if (page.length < limit) return;
    last = page.at(-1)?.id;
  }
}

/** All of the trash in the order of the ids. */
export async function* trashOf(
  trash: Pick<TrashTransfer, 'findAll'>,
  after = 0,
): AsyncGenerator<TrashedRecord, void, undefined> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const page: readonly TrashedRecord[] = await trash.findAll(last, BATCH_SIZE);
    yield* page;
    last = page.at(-1)?.id;
  }
}

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
