import type { OutputInfo, Sharp } from 'sharp';
import type { Box } from '../domain/image/box.ts';
import type { Crop } from '../domain/image/cover-crop.ts';
import type { Pixels } from '../domain/image/image-hashes.ts';
import type { Rendition, RenditionFormat } from '../domain/image/rendition.ts';
import { decoderOptions, sharp } from './decoder-options.ts';
import { hideIgnored, type PreparedSource, prepareSource } from './prepare-source.ts';
import { ENCODER_PIXEL_BYTES, RAW_PIXEL_BYTES, type Render } from './protocol.ts';
import { setOrientation } from './set-orientation.ts';
import { silenceHarmless } from './silence-harmless.ts';
import type { FileStructure, OpenedFile } from './structure/file-structure.ts';

export interface PixelSource extends PreparedSource {
  readonly maxPixels: number;
  /** Called for each warning of the libraries. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

export interface UprightSource extends PixelSource {
  /** In pixels, as displayed. */
  readonly box: Box;
}

export interface RenderJob extends UprightSource {
  readonly rendition: Rendition;
  /** Of the upright image, for a box that is not its middle. */
  readonly crop?: Crop | undefined;
}

const WHITE = '#ffffff';
const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 };

export async function renderOpened(stored: OpenedFile, request: Render): Promise<Buffer> {
  const opened = await silenceHarmless(stored);
  const { structure } = opened;
  hideIgnored(opened);
  setOrientation(opened);
  const source = await prepareSource(opened);
  const job = { maxPixels: structure.width * structure.height, ...request, ...source };
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
  const turned = hasExif ? pixels : 0;
  const encoder = pixels * ENCODER_PIXEL_BYTES[format];
  const oneStage = heldBytes + turned * bytesPerPixel + encoder;
  const twoStages = pixels * RAW_PIXEL_BYTES + Math.max(heldBytes, turned * RAW_PIXEL_BYTES + encoder);
  // If they are equal, one stage needs more: the buffers of the decoder, which are not counted.
  return oneStage > ONE_STAGE_BYTES && twoStages <= oneStage;
}

/** The first half of `render`, for its formats with transparency and `fit=inside`. */
export async function decodeUpright(source: UprightSource): Promise<Pixels> {
  const rendition: Rendition = { fit: 'inside', format: 'webp', quality: 75 };
  const { data, info } = await upright({ ...source, rendition })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}

export function uprightPixels(data: Buffer, { width, height, channels }: OutputInfo): Pixels {
  if (channels !== 3 && channels !== 4) throw new TypeError(`sRGB has no ${channels} channels`);
  return { width, height, channels, data };
}

/** The second half of `render`: not for PNG, nor for JPEG with transparency. */
export async function encodePixels(pixels: Pixels, rendition: Rendition): Promise<Buffer> {
  return await encode(openPixels(pixels), { rendition, box: pixels }).toBuffer();
}

/** Takes the shape alone from sharp's `info`: with its `premultiplied`, colours would be divided by their opacity twice. */
function openPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

/** The decoder releases its memory before the encoder begins, and the rotated copy has 8 bits a sample. */
export async function renderInTwoStages(job: RenderJob): Promise<Buffer> {
  const { orientation = 1 } = await sharp(job.input, decoderOptions(job)).metadata();
  const { data, info } = await resize(openSource(job), asStored(job, orientation))
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return await encode(turn(openPixels(uprightPixels(data, info)), orientation), job).toBuffer();
}

function upright(job: RenderJob): Sharp {
  return resize(openSource(job).autoOrient(), job);
}

/** The picture of a source, with its options and its listener. */
export function openSource(source: PixelSource, options: { readonly page?: number } = {}): Sharp {
  const image = sharp(source.input, { ...decoderOptions(source), ...options });
  if (source.onWarning !== undefined) image.on('warning', source.onWarning);
  if (source.pipelineColourspace !== undefined) image.pipelineColourspace(source.pipelineColourspace);
  return image;
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

interface Turn {
  readonly degrees: number;
  readonly isMirrored: boolean;
}

const UPRIGHT: Turn = { degrees: 0, isMirrored: false };

/** The turns that make each EXIF orientation upright (CIPA DC-008, tag 0x0112): mirrored from left to right, then clockwise. */
const TURNS: Readonly<Record<number, Turn>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 270, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 90, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

/** The same box and crop of the image as it is stored. */
function asStored(job: RenderJob, orientation: number): RenderJob {
  const { degrees, isMirrored } = TURNS[orientation] ?? UPRIGHT;
  const { box, crop } = job;
  const isOnItsSide = degrees % 180 !== 0;
  const stored = (size: Box): Box => (isOnItsSide ? { width: size.height, height: size.width } : size);
  if (crop === undefined) return { ...job, box: stored(box) };
  const { left, top } = crop;
  // From the top clockwise, as the turn moves them.
  const margins = [top, crop.width - box.width - left, crop.height - box.height - top, left];
  const marginAt = (side: number): number => margins[(side + degrees / 90) % 4] as number;
  const start = { left: marginAt(isMirrored ? 1 : 3), top: marginAt(0) };
  return { ...job, box: stored(box), crop: { ...stored(crop), ...start } };
}

function turn(image: Sharp, orientation: number): Sharp {
  const { degrees, isMirrored } = TURNS[orientation] ?? UPRIGHT;
  return image.rotate(degrees).flop(isMirrored);
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
