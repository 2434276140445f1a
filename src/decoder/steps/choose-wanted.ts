import { renditionBox } from '../../domain/image/rendition.ts';
import { RAW_PIXEL_BYTES } from '../protocol.ts';
import type { Of } from './picture.ts';
import { paysInTwoStages } from './two-stages.ts';

/** libjpeg's smallest scale is 1/8. */
const MAX_SHRINK = 8;

/** Buffered by libvips for each pixel of a line. */
const LINE_BYTES = 8 * 1024;

/** With 10 bytes a pixel, less than an inspection may take. */
const SPARE_BYTES = 40 * 1024 * 1024;
const SPARE_PIXEL_BYTES = 10;

/** No pixels are wanted if they cost the decoder more than the smallest box, or if a rendition would be made of other pixels. */
export function chooseWanted({
  mediaType,
  structure,
  size,
  wanted,
}: Of<'mediaType' | 'structure' | 'size' | 'wanted'>): Of<'wantedBox'> {
  const none = { wantedBox: undefined };
  if (wanted === undefined) return none;
  const box = renditionBox(size, { width: wanted.width, fit: 'inside', format: 'webp', quality: 75 });
  if (box.width * box.height * RAW_PIXEL_BYTES > wanted.maxBytes) return none;
  const shrink = mediaType === 'image/jpeg' ? MAX_SHRINK : 1;
  const scale = Math.min(size.width / box.width, size.height / box.height);
  // sharp leaves a part to the resize.
  if (shrink > 1 && scale < shrink + 1) return none;
  const bytes = structure.heldBytes + (structure.width / shrink) * LINE_BYTES;
  if (bytes > SPARE_BYTES + SPARE_PIXEL_BYTES * size.width * size.height) return none;
  // AVIF takes the most memory: it is the first to be made in two stages.
  return paysInTwoStages(structure, box, 'avif') ? none : { wantedBox: box };
}
