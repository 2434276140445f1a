import type { Of } from './picture.ts';

/** Leaves out `premultiplied` of sharp's `info`: with it, sharp would divide the colours by their opacity a second time. */
export async function toPixels({ image }: Of<'image'>): Promise<Of<'pixels'>> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 3 && channels !== 4) throw new TypeError(`sRGB has no ${channels} channels`);
  return { pixels: { width, height, channels, data } };
}
