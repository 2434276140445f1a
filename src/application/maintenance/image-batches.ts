import type { AllImages, OwnedImage } from '../../domain/ports/records/image-repository.ts';
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
