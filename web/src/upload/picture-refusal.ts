/** Why the catalog refuses a picture that has an accepted type. `invalid_image`: its message is not known. */
export type PictureRefusal =
  | { readonly reason: 'invalid_image' | 'damaged_image' | 'unusual_image' }
  /** Both in pixels; of an animation, of all its frames. */
  | { readonly reason: 'too_many_pixels'; readonly pixels: number; readonly allowed: number };

const PIXELS = /has (\d+) pixels .*and (\d+) are allowed/;
const DAMAGED = /is (?:damaged|incomplete)/;
/** Kinds that are not decoded, and pictures that would take too much work. */
const UNUSUAL =
  /not supported|unusual|not a PNG by its standard|has more than|has a |takes too much|arithmetic-coded/;

/** @param message of 422 `invalid_image`: its code is the same for all of them */
export function pictureRefusal(message: string): PictureRefusal {
  const [, pixels, allowed] = PIXELS.exec(message) ?? [];
  if (pixels !== undefined) {
    return { reason: 'too_many_pixels', pixels: Number(pixels), allowed: Number(allowed) };
  }
  if (DAMAGED.test(message)) return { reason: 'damaged_image' };
  return { reason: UNUSUAL.test(message) ? 'unusual_image' : 'invalid_image' };
}
