import type { AllImages, OwnedImage } from '../../domain/ports/records/image-repository.ts';
import type { TrashedRecord, TrashTransfer } from '../../domain/ports/records/trash.ts';
import { imagePages } from './image-pages.ts';

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
