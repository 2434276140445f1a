import type { Box, RenditionFormat } from '../../domain/image/rendition.ts';
import type { FileStructure } from './file-structure.ts';

/** Bytes that any decode takes. */
const BASE_BYTES = 24 * 1024 * 1024;

/** Lines that libvips buffers while it shrinks a picture, measured; fewer if the decoder holds the whole picture. */
const BUFFERED_LINES = 1024;
const BUFFERED_LINES_OF_HELD = 320;

/** Lines of intermediate results, and the bytes of a pixel in them: libvips resizes pixels with alpha as four floats. */
const RESIZED_LINES = 256;
const RESIZED_PIXEL_BYTES = 16;

/** A pixel in RGBA, ready to be encoded. */
const RAW_PIXEL_BYTES = 4;

/** Bytes that an encoder takes for each pixel, its output included, measured on noise at quality 100. */
const ENCODER_PIXEL_BYTES: Readonly<Record<RenditionFormat, number>> = {
  jpeg: 8,
  png: 8,
  webp: 36,
  avif: 56,
};

/** Bytes that an inspection takes: one decode to a few pixels. */
export function inspectionBytes(structure: FileStructure): number {
  return BASE_BYTES + structure.heldBytes + bufferedBytes(structure, structure.maxShrink);
}

/** How a rendition is made, and the bytes that it takes. */
export interface RenditionPlan {
  /** Whether the decoder is done before the encoder begins, so that their memory does not add up. */
  readonly inTwoStages: boolean;
  readonly bytes: number;
}

/** Two stages cost a copy of the output, so they are used only if one stage would take more than this. */
const ONE_STAGE_BYTES = 256 * 1024 * 1024;

/** @param box of the rendition */
export function planRendition(structure: FileStructure, box: Box, format: RenditionFormat): RenditionPlan {
  const pixels = box.width * box.height;
  const raw = pixels * RAW_PIXEL_BYTES;
  const encoder = pixels * ENCODER_PIXEL_BYTES[format];
  const shrink = shrinkOnLoad(structure, box);
  const decoder = structure.heldBytes + bufferedBytes(structure, shrink) + resizedBytes(structure, shrink);
  const turned = structure.hasExif ? pixels : 0;
  const oneStage = decoder + turned * structure.bytesPerPixel + encoder;
  const twoStages = raw + Math.max(decoder, turned * RAW_PIXEL_BYTES + encoder);
  const inTwoStages = oneStage > ONE_STAGE_BYTES && twoStages < oneStage;
  return { inTwoStages, bytes: BASE_BYTES + (inTwoStages ? twoStages : oneStage) };
}

function bufferedBytes({ width, height, bytesPerPixel, heldBytes }: FileStructure, shrink: number): number {
  const lines = Math.min(height / shrink, heldBytes > 0 ? BUFFERED_LINES_OF_HELD : BUFFERED_LINES);
  return Math.ceil((width / shrink) * bytesPerPixel * lines);
}

function resizedBytes({ width, height }: FileStructure, shrink: number): number {
  return Math.ceil((width / shrink) * RESIZED_PIXEL_BYTES * Math.min(height / shrink, RESIZED_LINES));
}

/** The factor by which libjpeg shrinks a picture while it decodes it. sharp leaves a part to the resize. */
function shrinkOnLoad({ width, height, maxShrink }: FileStructure, box: Box): number {
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  const factor = Math.floor(
    Math.min(longer / Math.max(box.width, box.height), shorter / Math.min(box.width, box.height)),
  );
  return [8, 4, 2].find((shrink) => shrink <= maxShrink && shrink < factor) ?? 1;
}
