import type { Sharp } from 'sharp';
import { hashesOf, type Pixels } from '../domain/image/image-hashes.ts';
import type { MediaType } from '../domain/image/media-type.ts';
import type { Inspect, Inspected, PixelShape } from './protocol.ts';
import { decoderOptions, decodeUpright, uprightPixels } from './render.ts';
import { sharp } from './sharp.ts';
import { SMALL_SIDE, shrunk } from './shrunk.ts';
import { thumbhashOf } from './thumbhash-of.ts';

const SHARP_FORMAT: Readonly<Record<MediaType, string>> = { 'image/jpeg': 'jpeg', 'image/png': 'png' };

/** Proves by one decode that a file is a complete image. */
export async function inspect(
  input: Uint8Array,
  { mediaType, stored, wanted, wantedOnItsSide }: Inspect,
): Promise<{ readonly reply: Inspected; readonly body: readonly Uint8Array[] }> {
  const maxPixels = stored.width * stored.height;
  const image = sharp(input, decoderOptions({ maxPixels }));
  const { format, autoOrient, exif, iptc, xmp } = await image.metadata();
  if (format !== SHARP_FORMAT[mediaType]) throw new Error(`The file is a ${format}`);
  const { width, height } = autoOrient;
  const box = width === stored.width ? wanted : wantedOnItsSide;
  const pixels = await (box === undefined
    ? smallPixelsOf(sharp(input, decoderOptions({ maxPixels })))
    : decodeUpright({ input, maxPixels, box }));
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

/** For the placeholder and the hashes. libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
async function smallPixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .autoOrient()
    .resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}
