import { hashesOf, type Pixels } from '../domain/image/image-hashes.ts';
import { formatOf } from '../domain/image/media-type.ts';
import { proveLzwFrames } from './lzw-pixels.ts';
import { onCanvas } from './on-canvas.ts';
import type { Inspect, Inspected, PixelShape } from './protocol.ts';
import { decoderOptions, decodeUpright, type PixelSource, uprightPixels } from './render.ts';
import { sharp } from './sharp.ts';
import { SMALL_SIDE, shrunk } from './shrunk.ts';
import { thumbhashOf } from './thumbhash-of.ts';

/** Proves by one decode that a file is a complete image. */
export async function inspect(
  input: Uint8Array,
  { mediaType, stored, frames, lzwFrames, placed, wanted, wantedOnItsSide }: Inspect,
): Promise<{ readonly reply: Inspected; readonly body: readonly Uint8Array[] }> {
  const maxPixels = stored.width * stored.height;
  const image = sharp(input, decoderOptions({ maxPixels }));
  const { format, autoOrient, exif, iptc, xmp } = await image.metadata();
  if (format !== formatOf(mediaType)) throw new Error(`The file is a ${format}`);
  if (lzwFrames !== undefined) proveLzwFrames(input, lzwFrames);
  else if (frames > 1) await decodeAll({ input, maxPixels }, frames);
  const { width, height } = placed?.canvas ?? autoOrient;
  const box = width === stored.width ? wanted : wantedOnItsSide;
  const source = { maxPixels, ...(await onCanvas(input, placed)) };
  const pixels = await (box === undefined ? smallPixelsOf(source) : decodeUpright({ ...source, box }));
  const small = shrunk(pixels, SMALL_SIDE);
  const blocks = [exif, iptc, xmp].map((block) => block ?? Buffer.of());
  const [exifBytes = 0, iptcBytes = 0, xmpBytes = 0] = blocks.map((block) => block.length);
  return {
    reply: {
      kind: 'inspected',
      width,
      height,
      thumbhash: thumbhashOf(small),
      hashes: hashesOf(small),
      blocks: { exif: exifBytes, iptc: iptcBytes, xmp: xmpBytes },
      pixels: box && shapeOf(pixels),
    },
    body: box === undefined ? blocks : [...blocks, pixels.data],
  };
}

function shapeOf({ width, height, channels }: Pixels): PixelShape {
  return { width, height, channels };
}

/** The last frame needs all before it, and one at a time is in memory. */
async function decodeAll(source: PixelSource, frames: number): Promise<void> {
  await smallPixelsOf(source, frames - 1);
}

/** For the placeholder and the hashes. libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
async function smallPixelsOf(source: PixelSource, page = 0): Promise<Pixels> {
  const { data, info } = await sharp(source.input, { ...decoderOptions(source), page })
    .autoOrient()
    .resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}
