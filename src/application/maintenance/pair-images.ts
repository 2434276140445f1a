import type { Image } from '../../domain/image/image.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import { ListImages } from '../list-images.ts';

/** What two repositories have under one id: at least one of them has an image. */
export interface ImagePair {
  readonly source?: Image | undefined;
  readonly target?: Image | undefined;
}

/**
 * Walks through two catalogs side by side, in the order of the ids and in bounded memory. Images that are added or removed
 * meanwhile may be seen or not.
 */
export async function* pairImages(
  source: ImageRepository,
  target: ImageRepository,
): AsyncGenerator<ImagePair, void, undefined> {
  const [sources, targets] = [imagesOf(source), imagesOf(target)];
  let [ours, theirs] = [await nextOf(sources), await nextOf(targets)];
  while (ours !== undefined || theirs !== undefined) {
    const id = Math.min(ours?.id ?? Number.POSITIVE_INFINITY, theirs?.id ?? Number.POSITIVE_INFINITY);
    const pair = {
      source: ours?.id === id ? ours : undefined,
      target: theirs?.id === id ? theirs : undefined,
    };
    yield pair;
    if (pair.source !== undefined) ours = await nextOf(sources);
    if (pair.target !== undefined) theirs = await nextOf(targets);
  }
}

/** Every image, the oldest first. */
export async function* imagesOf(images: ImageRepository): AsyncGenerator<Image, void, undefined> {
  for await (const batch of new ListImages(images).batches({ filter: {}, order: 'asc' })) yield* batch;
}

async function nextOf(images: AsyncIterator<Image, void, undefined>): Promise<Image | undefined> {
  const { value } = await images.next();
  return value ?? undefined;
}
