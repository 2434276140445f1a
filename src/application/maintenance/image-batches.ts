import type { CatalogImage } from '../../domain/image/image.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';

/** Bounds memory. */
const BATCH_SIZE = 100;

/** Oldest first. Concurrent changes cause no repeated and no skipped images. Ends at the image that was newest at the beginning. */
export async function* imageBatches(
  images: Pick<ImageRepository, 'findPage'>,
): AsyncGenerator<readonly CatalogImage[], void, undefined> {
  const [newest] = await images.findPage({ order: 'desc', limit: 1 });
  for await (const batch of imagePages(images, BATCH_SIZE)) {
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (last !== undefined && newest !== undefined && last.id >= newest.id) return;
  }
}

/** In the order of the ids, from the image behind `after`. The last page has fewer than `limit` images. */
export async function* imagePages(
  images: Pick<ImageRepository, 'findPage'>,
  limit: number,
  after?: number,
): AsyncGenerator<readonly CatalogImage[], void, undefined> {
  for (let last = after; ; ) {
    const page = await images.findPage({ order: 'asc', after: last, limit });
    yield page;
    if (page.length < limit) return;
    last = page.at(-1)?.id;
  }
}
