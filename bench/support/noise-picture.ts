import sharp from 'sharp';

const WIDTH = 4000;
const QUALITY = 95;
/** Bytes per pixel of noise at this quality. */
const BYTES_PER_PIXEL = 1.03;

/** A JPEG of noise of about this size: a decoder has to work for each of its bytes. */
export async function noisePicture(random: () => number, bytes: number): Promise<Buffer> {
  const height = Math.round(bytes / BYTES_PER_PIXEL / WIDTH);
  const pixels = Buffer.alloc(WIDTH * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = Math.floor(random() * 256);
  return await sharp(pixels, { raw: { width: WIDTH, height, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
