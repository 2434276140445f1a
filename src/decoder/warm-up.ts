import { INPUT_FORMATS } from '../domain/image/media-type.ts';
import { RENDITION_FORMATS } from '../domain/image/rendition.ts';
import { sharp } from './decoder-options.ts';
import { inspect, render } from './picture-steps.ts';
import { onCanvas } from './steps/on-canvas.ts';
import { readStructure } from './structure/read-structure.ts';

const SIDE = 16;
const BOX = { width: SIDE, height: SIDE };
const LIMITS = { maxPixels: SIDE * SIDE, maxFramePixels: SIDE * SIDE };
/** As a frame that does not cover its canvas. */
const PLACED = { ...BOX, left: 0, top: 0, canvas: { width: SIDE + 1, height: SIDE } };

/**
 * Decodes and encodes an image of every kind, with a colour profile and a rotation, and loads it whole: afterwards the libraries
 * open no file and read no variable any more.
 */
export async function warmUp(): Promise<void> {
  const image = sharp({ create: { ...BOX, channels: 3, background: '#808080' } });
  for (const format of INPUT_FORMATS) {
    const input = await image
      .clone()
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer();
    const mediaType = `image/${format}` as const;
    const opened = { file: input, mediaType, structure: await readStructure(input, mediaType, LIMITS) };
    await inspect(opened, { kind: 'inspect' });
    if (format === 'gif') await onCanvas({ file: input, structure: { placed: PLACED } });
    await sharp(input, { sequentialRead: false }).toBuffer();
    for (const output of RENDITION_FORMATS) {
      const rendition = { fit: 'inside', format: output, quality: 75 } as const;
      await render(opened, { kind: 'render', box: BOX, rendition });
    }
  }
}
