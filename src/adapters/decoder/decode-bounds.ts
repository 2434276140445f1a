import { ENCODER_PIXEL_BYTES, type Opened, RAW_PIXEL_BYTES } from '../../decoder/protocol.ts';
import type { Box } from '../../domain/image/box.ts';
import { MAX_RENDITION_BYTES, type RenditionFormat } from '../../domain/image/rendition.ts';

const MIB = 1024 * 1024;

/** The bound of every inspection: 10 bytes for each pixel, 64 MB, and the file. */
const INSPECTION_BASE_BYTES = 64 * MIB;
const INSPECTION_PIXEL_BYTES = 10;
const INSPECTION_CPU_SECONDS = 5;

const RENDITION_CPU_SECONDS = 10;
const RENDITION_BYTES = 800 * MIB;

/** More than any encoder writes beside the pixels, and for a pixel. */
const OUTPUT_BASE_BYTES = 16 * MIB;
const OUTPUT_PIXEL_BYTES = 8;

/** What a job may use. */
export interface DecodeBounds {
  readonly cpuSeconds: number;
  /** Anonymous memory beyond that of an idle decoder. */
  readonly memoryBytes: number;
  readonly replyBytes: number;
}

/** @param pixels width × height, also of an animation; 0 before the structure is known */
export function inspectionBounds(pixels: number, fileBytes: number, replyBytes = 0): DecodeBounds {
  return {
    cpuSeconds: INSPECTION_CPU_SECONDS,
    memoryBytes: boundOfInspection(pixels) + fileBytes,
    replyBytes,
  };
}

export function renditionBounds({ width, height }: Box): DecodeBounds {
  return {
    cpuSeconds: RENDITION_CPU_SECONDS,
    memoryBytes: RENDITION_BYTES,
    replyBytes: Math.min(OUTPUT_BASE_BYTES + width * height * OUTPUT_PIXEL_BYTES, MAX_RENDITION_BYTES),
  };
}

/** The largest memory bound of a job, in bytes. */
export function maxJobBytes(maxPixels: number, maxFileBytes: number): number {
  return Math.max(RENDITION_BYTES, boundOfInspection(maxPixels) + maxFileBytes);
}

/** Without the file. */
export function boundOfInspection(pixels: number): number {
  return INSPECTION_BASE_BYTES + INSPECTION_PIXEL_BYTES * pixels;
}

/** What libvips uses for any image, and buffers of those that it does not hold. */
const BASE_BYTES = 24 * MIB;
const BUFFERED_LINES = 1024;
const BUFFERED_PIXEL_BYTES = 8;

/** Reserved for every decode of a file of this size. */
export function leastDecodingBytes(fileBytes: number): number {
  return BASE_BYTES + fileBytes;
}

/** Reserved for a decode; what is used beyond it counts when it is seen. */
export function decodingBytes({ width, height, heldBytes }: Omit<Opened, 'kind'>): number {
  return BASE_BYTES + heldBytes + width * Math.min(height, BUFFERED_LINES) * BUFFERED_PIXEL_BYTES;
}

/** Reserved for the encoder. */
export function encodingBytes({ width, height }: Box, format: RenditionFormat): number {
  return width * height * (RAW_PIXEL_BYTES + ENCODER_PIXEL_BYTES[format]);
}
