import { decodeSmall, SMALL_SIDE } from './decode-small.ts';
import { type Loaded, load } from './load.ts';
import type { Of } from './picture.ts';
import { resize } from './resize.ts';
import { runSteps } from './run-steps.ts';
import { shrunk } from './shrunk.ts';
import { toPixels } from './to-pixels.ts';

/** For all formats with transparency. */
const RENDITION = { fit: 'inside', format: 'webp', quality: 75 } as const;

/** Decodes the picture once, to the pixels that are wanted if there are any. */
export async function decodeShown(picture: Loaded & Of<'wantedBox'>): Promise<Of<'wantedPixels' | 'small'>> {
  const { wantedBox: box } = picture;
  if (box === undefined) return { wantedPixels: undefined, small: await decodeSmall(picture) };
  const { pixels } = await runSteps({ ...picture, box, rendition: RENDITION }, [load, resize, toPixels]);
  return { wantedPixels: pixels, small: shrunk(pixels, SMALL_SIDE) };
}
