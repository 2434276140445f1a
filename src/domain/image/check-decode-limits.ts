import { ImageBeyondLimits } from '../errors.ts';
import { decodeExcess, type ImageStructure } from './decode-excess.ts';
import type { MediaType } from './media-type.ts';

/** @throws {ImageBeyondLimits} */
export function checkDecodeLimits(structure: ImageStructure, mediaType: MediaType, maxPixels: number): void {
  const excess = decodeExcess(structure, mediaType, maxPixels);
  if (excess !== undefined) throw new ImageBeyondLimits(mediaType, excess);
}
