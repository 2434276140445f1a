import type { Metadata } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Box } from '../domain/image/box.ts';
import { formatOf } from '../domain/image/format-of.ts';
import { hashesOf, type Pixels } from '../domain/image/image-hashes.ts';
import { renditionBox } from '../domain/image/rendition.ts';
import { keywordTags } from '../domain/image/words/tags.ts';
import { cleanPartsOf } from './clean/clean-original.ts';
import { decoderOptions, sharp } from './decoder-options.ts';
import { readPngBlocks } from './embedded/png-blocks.ts';
import { type EmbeddedBlocks, readEmbedded } from './embedded/read-embedded.ts';
import { Flaws } from './flaws.ts';
import { LibjpegReports } from './libjpeg-reports.ts';
import { type LzwEnd, proveLzwFrames } from './lzw-frames.ts';
import { hideIgnored, prepareSource } from './prepare-source.ts';
import {
  type Inspect,
  type Inspected,
  type PixelShape,
  RAW_PIXEL_BYTES,
  type WantedSize,
} from './protocol.ts';
import { decodeUpright, openSource, type PixelSource, paysInTwoStages, uprightPixels } from './render.ts';
import { requireAllData } from './require-all-data.ts';
import { setOrientation, uprightBox } from './set-orientation.ts';
import { shrunk } from './shrunk.ts';
import { silenceHarmless } from './silence-harmless.ts';
import type { OpenedFile } from './structure/file-structure.ts';
import { MalformedFile } from './structure/malformed-file.ts';

/**
 * 24 pixels are enough for ThumbHash's 7 waves (https://evanw.github.io/thumbhash/): the placeholder differs by 1 of 255 on
 * average. They are enough for hashes of 9 × 8 values as well.
 */
const SMALL_SIDE = 24;

/** Proves by one decode that a file is a complete image. */
export async function inspect(
  uploaded: OpenedFile,
  { wanted, isStored = false }: Inspect,
): Promise<{ readonly reply: Inspected; readonly body: readonly Uint8Array[] }> {
  const flaws = new Flaws(isStored);
  await flaws.note(() => void cleanPartsOf(uploaded));
  const opened = await silenceHarmless(uploaded);
  const { file, mediaType, structure } = opened;
  const { placed } = structure;
  const maxPixels = structure.width * structure.height;
  hideIgnored(opened);
  const image = sharp(file, decoderOptions({ maxPixels }));
  const { format, width, height, iptc, xmp } = await image.metadata();
  if (format !== formatOf(mediaType)) throw new MalformedFile('undecodable');
  const { keywords, ...said } = readEmbedded({ ...blocksOf(opened, { xmp }), iptc });
  setOrientation(opened);
  const lzwEnd = await proveFrames(opened, maxPixels);
  const shown = placed?.canvas ?? uprightBox({ width, height }, structure);
  const box = wanted && freeBox(opened, shown, wanted);
  const reports = new LibjpegReports();
  const source = { maxPixels, ...(await prepareSource(opened, lzwEnd)), onWarning: reports.add };
  const pixels = box && (await decodeUpright({ ...source, box }));
  const small = pixels === undefined ? await smallPixelsOf(source) : shrunk(pixels, SMALL_SIDE);
  await flaws.note(() => requireAllData(opened, reports, smallPixelsOf));
  return {
    reply: {
      kind: 'inspected',
      ...shown,
      thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)).toString('base64'),
      hashes: hashesOf(small),
      embedded: { ...said, keywords: keywordTags(keywords) },
      pixels: pixels && shapeOf(pixels),
      flaw: flaws.first,
    },
    body: pixels === undefined ? [] : [pixels.data],
  };
}

/** Proves that every frame of an animation can be decoded. Of a GIF, returns where the codes of its first frame end. */
async function proveFrames({ file, structure }: OpenedFile, maxPixels: number): Promise<LzwEnd | undefined> {
  const { frames, lzwFrames } = structure;
  if (lzwFrames !== undefined) return proveLzwFrames(file, lzwFrames);
  if (frames > 1) await decodeAll({ input: file, maxPixels }, frames);
  return undefined;
}

/** A PNG may have its metadata after the pixels, where libvips does not look. */
function blocksOf(
  { file, mediaType, structure }: OpenedFile,
  { xmp }: Pick<Metadata, 'xmp'>,
): Pick<EmbeddedBlocks, 'exif' | 'xmp'> {
  if (mediaType === 'image/png') return readPngBlocks(file);
  return { exif: structure.exif?.map(({ start, end }) => file.subarray(start, end)), xmp };
}

/** libjpeg's smallest scale is 1/8. */
const MAX_SHRINK = 8;

/** Buffered by libvips for each pixel of a line. */
const LINE_BYTES = 8 * 1024;

/** With 10 bytes a pixel, less than an inspection may take. */
const SPARE_BYTES = 40 * 1024 * 1024;
const SPARE_PIXEL_BYTES = 10;

/** `undefined` if its pixels cost the decoder more than the smallest box, or if a rendition would be made of other pixels. */
function freeBox(
  { mediaType, structure }: OpenedFile,
  size: Box,
  { width, maxBytes }: WantedSize,
): Box | undefined {
  const box = renditionBox(size, { width, fit: 'inside', format: 'webp', quality: 75 });
  if (box.width * box.height * RAW_PIXEL_BYTES > maxBytes) return undefined;
  const shrink = mediaType === 'image/jpeg' ? MAX_SHRINK : 1;
  const scale = Math.min(size.width / box.width, size.height / box.height);
  // sharp leaves a part to the resize.
  if (shrink > 1 && scale < shrink + 1) return undefined;
  const bytes = structure.heldBytes + (structure.width / shrink) * LINE_BYTES;
  if (bytes > SPARE_BYTES + SPARE_PIXEL_BYTES * size.width * size.height) return undefined;
  // AVIF takes the most memory: it is the first to be made in two stages.
  return paysInTwoStages(structure, box, 'avif') ? undefined : box;
}

function shapeOf({ width, height, channels }: Pixels): PixelShape {
  return { width, height, channels };
}

/** The last frame needs all before it, and one at a time is in memory. */
async function decodeAll(source: PixelSource, frames: number): Promise<void> {
  await smallPixelsOf(source, frames - 1);
}

/** RGBA, for the placeholder and the hashes. libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
async function smallPixelsOf(source: PixelSource, page = 0): Promise<Pixels> {
  const { data, info } = await openSource(source, { page })
    .autoOrient()
    .resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}
