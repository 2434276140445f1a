import type { CatalogImage } from '../../domain/image/image.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';

/** Bounds memory. */
const BATCH_SIZE = 100;

/** Oldest first. Concurrent changes cause no repeated and no skipped images. Ends at the image that was newest at the beginning. */
export async function* imageBatches(
  images: Pick<ImageRepository, 'findPage'>,
): AsyncGenerator<readonly CatalogImage[], void, undefined> {
  const [newest] = await images.findPage({ order: 'desc', limit: 1 });
  let after: number | undefined;
  for (;;) {
    const batch = await images.findPage({ order: 'asc', after, limit: BATCH_SIZE });
    if (batch.length > 0) yield batch;
    after = batch.at(-1)?.id;
    const isPastNewest = after !== undefined && newest !== undefined && after >= newest.id;
    if (batch.length < BATCH_SIZE || isPastNewest) return;
  }
}
