import { RENDITION_FORMATS } from '../domain/image/rendition.ts';
import { inspect } from './inspect.ts';
import { render } from './render.ts';
import { sharp } from './sharp.ts';

const SIDE = 16;
const BOX = { width: SIDE, height: SIDE };
const ORIGINALS = ['jpeg', 'png'] as const;

/**
 * Decodes and encodes an image of every kind, with a colour profile and a rotation: afterwards the libraries open no file any more.
 */
export async function warmUp(): Promise<void> {
  const image = sharp({ create: { ...BOX, channels: 3, background: '#808080' } });
  for (const format of ORIGINALS) {
    const input = await image
      .clone()
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer();
    await inspect(input, { kind: 'inspect', mediaType: `image/${format}`, stored: BOX });
    for (const output of RENDITION_FORMATS) {
      await render({
        input,
        maxPixels: SIDE * SIDE,
        box: BOX,
        rendition: { fit: 'inside', format: output, quality: 75 },
      });
    }
  }
}
