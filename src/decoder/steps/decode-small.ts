import type { Pixels } from '../../domain/image/image-hashes.ts';
import { type Loaded, load } from './load.ts';
import { toPixels } from './to-pixels.ts';

/**
 * 24 pixels are enough for ThumbHash's 7 waves (https://evanw.github.io/thumbhash/): the placeholder differs by 1 of 255 on
 * average. They are enough for hashes of 9 × 8 values as well.
 */
export const SMALL_SIDE = 24;

/** RGBA. Decodes all pixels of the frame. libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
export async function decodeSmall(picture: Loaded, frame = 0): Promise<Pixels> {
  const image = load(picture, frame)
    .image.resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .ensureAlpha();
  return (await toPixels({ image })).pixels;
}
