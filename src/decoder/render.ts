import type { OutputInfo, Sharp } from 'sharp';
import type { Box } from '../domain/image/box.ts';
import type { Crop } from '../domain/image/cover-crop.ts';
import type { Pixels } from '../domain/image/image-hashes.ts';
import type { Rendition, RenditionFormat } from '../domain/image/rendition.ts';
import { decoderOptions, sharp } from './decoder-options.ts';
import { onCanvas } from './on-canvas.ts';
import { ENCODER_PIXEL_BYTES, type PixelShape, RAW_PIXEL_BYTES, type Render } from './protocol.ts';
import type { FileStructure, OpenedFile } from './structure/file-structure.ts';

export interface PixelSource {
  /** All bytes of the file, or pixels. */
  readonly input: Uint8Array;
  /** Of pixels. */
  readonly raw?: PixelShape | undefined;
  readonly maxPixels: number;
}

export interface RenderJob extends PixelSource {
  /** In pixels, as displayed. */
  readonly box: Box;
  readonly rendition: Rendition;
  /** Of the upright image, for a box that is not its middle. */
  readonly crop?: Crop | undefined;
}

const WHITE = '#ffffff';
const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 };

export async function renderOpened({ file, structure }: OpenedFile, request: Render): Promise<Buffer> {
  const { width, height, placed } = structure;
  const job = { maxPixels: width * height, ...request, ...(await onCanvas(file, placed)) };
  const draw = paysInTwoStages(structure, job.box, job.rendition.format) ? renderInTwoStages : render;
  return await draw(job);
}

export async function render(job: RenderJob): Promise<Buffer> {
  return await encode(upright(job), job).toBuffer();
}

/** Two stages cost a copy of the output: used only above this. */
const ONE_STAGE_BYTES = 256 * 1024 * 1024;

/** Whether less memory is needed at a time if the decoder is done before the encoder begins. */
export function paysInTwoStages(
  { heldBytes, hasExif, bytesPerPixel }: FileStructure,
  { width, height }: Box,
  format: RenditionFormat,
): boolean {
  const pixels = width * height;
  const decoder = heldBytes + (hasExif ? pixels * bytesPerPixel : 0);
  const encoder = pixels * ENCODER_PIXEL_BYTES[format];
  const oneStage = decoder + encoder;
  const twoStages = pixels * RAW_PIXEL_BYTES + Math.max(decoder, encoder);
  // If they are equal, one stage needs more: the buffers of the decoder, which are not counted.
  return oneStage > ONE_STAGE_BYTES && twoStages <= oneStage;
}

/** The first half of `render`. */
export async function decodeUpright(job: RenderJob): Promise<Pixels> {
  const { data, info } = await upright(job).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}

export function uprightPixels(data: Buffer, { width, height, channels }: OutputInfo): Pixels {
  if (channels !== 3 && channels !== 4) throw new TypeError(`sRGB has no ${channels} channels`);
  return { width, height, channels, data };
}

/** The second half of `render`, without the resolution of the original. */
export async function encodePixels(pixels: Pixels, rendition: Rendition): Promise<Buffer> {
  const { data, width, height, channels } = pixels;
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return await encode(image, { rendition, box: pixels }).toBuffer();
}

/** The decoder releases its memory before the encoder begins. */
export async function renderInTwoStages(job: RenderJob): Promise<Buffer> {
  return await encodePixels(await decodeUpright(job), job.rendition);
}

function upright(job: RenderJob): Sharp {
  return resize(sharp(job.input, decoderOptions(job)).autoOrient(), job);
}

function resize(image: Sharp, { rendition, box, crop }: RenderJob): Sharp {
  const background = rendition.format === 'jpeg' ? WHITE : TRANSPARENT;
  const fit = rendition.fit === 'inside' ? 'fill' : rendition.fit;
  if (crop === undefined) image.resize({ ...box, fit, background });
  // Extracted after the resize: the other order would switch off shrinking during the decode.
  else image.resize(crop.width, crop.height, { fit: 'fill' }).extract({ ...crop, ...box });
  if (rendition.format === 'jpeg') image.flatten({ background: WHITE });
  return image.toColourspace('srgb');
}

/** AVIF looks better, and is larger, at the same number. Next.js uses the same offset. */
const AVIF_QUALITY_OFFSET = 20;

function encode(
  image: Sharp,
  { rendition: { format, quality }, box }: Pick<RenderJob, 'rendition' | 'box'>,
): Sharp {
  const pixels = box.width * box.height;
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality });
    case 'png':
      return image.png({ compressionLevel: pixels > LARGE_PNG_PIXELS ? 3 : 6 });
    case 'webp':
      return image.webp({ quality });
    case 'avif':
      return image.avif({
        quality: Math.max(quality - AVIF_QUALITY_OFFSET, 1),
        effort: avifEffort(pixels),
      });
  }
}

/** Level 6 takes 4 s for 50 megapixels of noise, level 3 takes 1.5 s and writes a tenth more. */
const LARGE_PNG_PIXELS = 12_000_000;

/** Each level doubles the time and saves a few per cent. Noise at quality 100 takes 6 s at most. */
function avifEffort(pixels: number): number {
  if (pixels <= 2_100_000) return 3;
  return pixels <= 3_200_000 ? 2 : 1;
}
