import { expect } from 'chai';
import { sharp } from '../../../src/decoder/decoder-options.ts';
import { render } from '../../../src/decoder/picture-steps.ts';
import { readStructure } from '../../../src/decoder/structure/read-structure.ts';
import { withChunks } from '../../support/fixtures/embedded-chunks.ts';
import { pixelLimits } from '../../support/fixtures/pixel-limits.ts';
import { pngChunk, type RawPng, rawPng } from '../../support/fixtures/raw-pictures.ts';
import { describeInChromium, sharedChromium } from '../support/in-chromium.ts';

const BOX = { width: 32, height: 32 };
const MAX_MEAN_DIFFERENCE = 3;

const BT_2020 = '00007a2600008084000114900000721000004268000137540000332c000011f8';
const CHUNKS: Readonly<Record<string, readonly Buffer[]>> = {
  'no chunk': [],
  'a linear gamma': [chunk('gAMA', '000186a0')],
  'the usual gamma': [chunk('gAMA', '0000b18f')],
  'the gamma of old Macs': [chunk('gAMA', '0000d904')],
  'a gamma with primaries': [chunk('cHRM', BT_2020), chunk('gAMA', '0000b18f')],
  'sRGB and a gamma': [chunk('sRGB', '00'), chunk('gAMA', '000186a0')],
  'cICP of Display P3': [chunk('cICP', '0c0d0001')],
  'cICP of BT.709': [chunk('cICP', '01010001')],
};

const SAMPLES: ReadonlyArray<Pick<RawPng, 'colourType' | 'bitDepth'>> = [
  { colourType: 'grey', bitDepth: 8 },
  { colourType: 'grey', bitDepth: 16 },
  { colourType: 'rgb', bitDepth: 8 },
  { colourType: 'rgb', bitDepth: 16 },
  { colourType: 'palette', bitDepth: 8 },
];

function chunk(type: string, hex: string): Buffer {
  return pngChunk(type, Buffer.from(hex, 'hex'));
}

describeInChromium('the colours of a PNG', () => {
  for (const [name, chunks] of Object.entries(CHUNKS)) {
    for (const samples of SAMPLES) {
      it(`are those of a rendition, with ${name}, ${samples.colourType}, ${samples.bitDepth} bits`, async () => {
        const png = withChunks(rawPng({ ...BOX, ...samples, noise: 1 }), chunks);

        expect(meanDifference(await shownByChromium(png), await rendered(png))).to.be.at.most(
          MAX_MEAN_DIFFERENCE,
        );
      });
    }
  }
});

async function shownByChromium(png: Buffer): Promise<readonly number[]> {
  const page = await (await sharedChromium()).newPage();
  try {
    return await page.evaluate(
      async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width;
        canvas.height = image.height;
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0);
        return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])];
      },
      `data:image/png;base64,${png.toString('base64')}`,
    );
  } finally {
    await page.close();
  }
}

async function rendered(png: Buffer): Promise<readonly number[]> {
  const structure = await readStructure(png, 'image/png', pixelLimits(BOX.width * BOX.height));
  const rendition = { fit: 'inside', format: 'png', quality: 75 } as const;
  const opened = { file: png, mediaType: 'image/png', structure } as const;
  const made = await render(opened, { kind: 'render', box: BOX, rendition });
  return [...(await sharp(made).toColourspace('srgb').ensureAlpha().raw().toBuffer())];
}

function meanDifference(one: readonly number[], other: readonly number[]): number {
  expect(one.length).to.equal(other.length);
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] as number)), 0) / one.length;
}
