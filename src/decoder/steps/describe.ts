import { rgbaToThumbHash } from 'thumbhash';
import { hashesOf, type Pixels } from '../../domain/image/image-hashes.ts';
import type { PixelShape } from '../protocol.ts';
import type { Of } from './picture.ts';

export function describe({
  size,
  small,
  embedded,
  wantedPixels,
  flaw,
}: Of<'size' | 'small' | 'embedded' | 'wantedPixels' | 'flaw'>): Of<'reply' | 'body'> {
  return {
    reply: {
      kind: 'inspected',
      ...size,
      thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)).toString('base64'),
      hashes: hashesOf(small),
      embedded,
      pixels: wantedPixels && shapeOf(wantedPixels),
      flaw,
    },
    body: wantedPixels === undefined ? [] : [wantedPixels.data],
  };
}

function shapeOf({ width, height, channels }: Pixels): PixelShape {
  return { width, height, channels };
}
