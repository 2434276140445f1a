import { ImageBeyondLimits } from '../errors.ts';
import { decodeExcess, type ImageStructure } from './decode-excess.ts';
import type { MediaType } from './media-type.ts';
import type { PixelLimits } from './pixel-limits.ts';

/** @throws {ImageBeyondLimits} */
export function checkDecodeLimits(
  structure: ImageStructure,
  mediaType: MediaType,
  limits: PixelLimits,
): void {
  const excess = decodeExcess(structure, mediaType, limits);
  if (excess !== undefined) throw new ImageBeyondLimits(mediaType, excess);
}
