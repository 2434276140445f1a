import { randomFillSync } from 'node:crypto';
import { sharp } from '../../src/adapters/sharp/sharp.ts';

/** A small, valid JPEG. */
export async function jpegPicture(width = 16, height = 12): Promise<Buffer> {
  return await plain(width, height).jpeg().toBuffer();
}

/** A small, valid PNG. */
export async function pngPicture(width = 16, height = 12): Promise<Buffer> {
  return await plain(width, height).png().toBuffer();
}

/** A valid PNG of noise, which does not compress: about 3 bytes for each pixel. */
export async function noisyPng(width: number, height: number): Promise<Buffer> {
  const pixels = randomFillSync(Buffer.alloc(width * height * 3));
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/**
 * A valid JPEG of exactly this many bytes: comment segments (ITU-T T.81, B.2.4.5) make up what the picture lacks.
 *
 * @throws {RangeError} if the smallest picture is larger than that
 */
export async function jpegOfSize(bytes: number): Promise<Buffer> {
  const picture = await jpegPicture();
  const soi = picture.subarray(0, 2);
  return Buffer.concat([soi, comments(bytes - picture.length), picture.subarray(2)]);
}

const MAX_COMMENT = 0xffff + 2;
const MIN_COMMENT = 4;

function comments(bytes: number): Buffer {
  if (bytes > 0 && bytes < MIN_COMMENT) throw new RangeError(`No comments have ${bytes} bytes`);
  const all = Buffer.alloc(bytes, 0x20);
  for (let start = 0; start < bytes; ) {
    const left = bytes - start;
    // The rest must be empty or long enough for another segment.
    const length = left > MAX_COMMENT ? Math.min(MAX_COMMENT, left - MIN_COMMENT) : left;
    all.writeUInt16BE(0xfffe, start);
    all.writeUInt16BE(length - 2, start + 2);
    start += length;
  }
  return all;
}

function plain(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 120, b: 40 } } });
}
