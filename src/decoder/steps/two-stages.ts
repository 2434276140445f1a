import type { Box } from '../../domain/image/box.ts';
import type { RenditionFormat } from '../../domain/image/rendition.ts';
import { ENCODER_PIXEL_BYTES, RAW_PIXEL_BYTES } from '../protocol.ts';
import type { FileStructure } from '../structure/file-structure.ts';

/** Two stages cost a copy of the output: used only above this. */
const ONE_STAGE_BYTES = 256 * 1024 * 1024;

/** Whether less memory is needed at a time if the decoder is done before the encoder begins. */
export function paysInTwoStages(
  { heldBytes, hasExif, bytesPerPixel }: FileStructure,
  { width, height }: Box,
  format: RenditionFormat,
): boolean {
  const pixels = width * height;
  // EXIF may ask for a turn.
  const turned = hasExif ? pixels : 0;
  const encoder = pixels * ENCODER_PIXEL_BYTES[format];
  const oneStage = heldBytes + turned * bytesPerPixel + encoder;
  const twoStages = pixels * RAW_PIXEL_BYTES + Math.max(heldBytes, turned * RAW_PIXEL_BYTES + encoder);
  // If they are equal, one stage needs more: the buffers of the decoder, which are not counted.
  return oneStage > ONE_STAGE_BYTES && twoStages <= oneStage;
}
