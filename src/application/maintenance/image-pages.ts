import type { AllImages, OwnedImage } from '../../domain/ports/records/image-repository.ts';
import type { Space } from '../../domain/space/space.ts';

/** Reads images in the order of their ids, from the one behind `after`, by default of all spaces. The last page has fewer than `limit` images. */
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
