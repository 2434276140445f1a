import { sharp } from '../../src/decoder/decoder-options.ts';
import { jpegOfSize, jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { gif, gifFrame } from '../support/kinds/gif-blocks.ts';
import { flatAnimation } from '../support/kinds/webp-chunks.ts';

/** Limits of the service under test: low, so that requests above them stay small. */
const MAX_FILE_BYTES = 64 * 1024;
const MAX_PIXELS = 10_000;
export const LOW_LIMITS = {
  UPLOAD_MAX_BYTES: String(MAX_FILE_BYTES),
  UPLOAD_MAX_PIXELS: String(MAX_PIXELS),
  INPUT_FORMATS: 'jpeg,png,webp,gif',
  RENDITION_SIZES: '16,32,64,128',
};

const SMALL = { width: 40, height: 30 };

export type PictureName = keyof Awaited<ReturnType<typeof fuzzPictures>>;

/** Files of every kind that an upload may contain: the first five are valid. */
export async function fuzzPictures() {
  const [jpeg, png] = [await jpegPicture(40, 30), await pngPicture(40, 30)];
  const animation = gif(SMALL, [gifFrame(SMALL), gifFrame({ ...SMALL, width: 3 })]);
  return {
    jpeg,
    png,
    noise: await noisyJpeg(),
    webp: flatAnimation(SMALL, 3),
    animation,
    'half a gif': animation.subarray(0, animation.length / 2),
    'webp cut in a frame': flatAnimation(SMALL, 3).subarray(0, -9),
    'half a jpeg': jpeg.subarray(0, jpeg.length / 2),
    'corrupt png': withByteFlipped(png, png.indexOf('IDAT') + 6),
    'signature only': png.subarray(0, 8),
    'gif without a frame': Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0;', 'latin1'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'too many pixels': await pngPicture(MAX_PIXELS / 10, 11),
    'too large': await jpegOfSize(MAX_FILE_BYTES + 1),
    // IHDR declares 65,535 × 65,535 and has a wrong checksum.
    'lying header': Buffer.concat([
      png.subarray(0, 16),
      Buffer.from('0000ffff0000ffff', 'hex'),
      png.subarray(24),
    ]),
    empty: Buffer.alloc(0),
  };
}

async function noisyJpeg(): Promise<Buffer> {
  const random = randomNumbers(1);
  const pixels = Uint8Array.from({ length: 90 * 90 * 3 }, () => Math.floor(random() * 256));
  return await sharp(pixels, { raw: { width: 90, height: 90, channels: 3 } })
    .jpeg()
    .toBuffer();
}

function withByteFlipped(bytes: Buffer, position: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(position) ^ 0xff, position);
  return copy;
}
