import type { OutputInfo, Sharp, SharpOptions } from 'sharp';
import type { Pixels } from '../domain/image/image-hashes.ts';
import type { Box, Rendition } from '../domain/image/rendition.ts';
import { sharp } from './sharp.ts';

export interface UprightSource {
  /** All bytes of the file. */
  readonly input: Uint8Array;
  readonly maxPixels: number;
  /** In pixels, as displayed. */
  readonly box: Box;
}

export interface RenderJob extends UprightSource {
  readonly rendition: Rendition;
}

const WHITE = '#ffffff';
const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 };

export async function render(job: RenderJob): Promise<Buffer> {
  return await encode(upright(job), job).toBuffer();
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
  const { data, width, height, channels } = pixels;
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return await encode(image, { rendition, box: pixels }).toBuffer();
}

/** The decoder releases its memory before the encoder begins, and the rotated copy has 8 bits a sample. */
export async function renderInTwoStages(job: RenderJob): Promise<Buffer> {
  const { orientation = 1 } = await sharp(job.input, decoderOptions(job)).metadata();
  const { width, height } = job.box;
  const box = orientation >= FIRST_ON_ITS_SIDE ? { width: height, height: width } : job.box;
  const { data, info } = await resize(sharp(job.input, decoderOptions(job)), job, box)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const turned = turn(sharp(data, { raw: info, limitInputPixels: false }), orientation);
  return await encode(turned, job).toBuffer();
}

function upright(job: RenderJob): Sharp {
  return resize(sharp(job.input, decoderOptions(job)).autoOrient(), job, job.box);
}

export function decoderOptions({ maxPixels }: Pick<UprightSource, 'maxPixels'>): SharpOptions {
  return { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true };
}

function resize(image: Sharp, { rendition }: Pick<RenderJob, 'rendition'>, box: Box): Sharp {
  const background = rendition.format === 'jpeg' ? WHITE : TRANSPARENT;
  const fit = rendition.fit === 'inside' ? 'fill' : rendition.fit;
  image.resize({ ...box, fit, background });
  if (rendition.format === 'jpeg') image.flatten({ background: WHITE });
  return image.toColourspace('srgb');
}

/** Width and height swap from here on (CIPA DC-008, tag 0x0112). */
const FIRST_ON_ITS_SIDE = 5;

/** Mirroring from left to right, then clockwise rotation, to make each EXIF orientation upright. */
const TURNS: Readonly<Record<number, { readonly degrees: number; readonly isMirrored: boolean }>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 270, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 90, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

function turn(image: Sharp, orientation: number): Sharp {
  const { degrees, isMirrored } = TURNS[orientation] ?? { degrees: 0, isMirrored: false };
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
