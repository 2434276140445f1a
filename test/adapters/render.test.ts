import { expect } from 'chai';
import { type RenderJob, render, renderInTwoStages } from '../../src/decoder/render.ts';
import { sharp } from '../../src/decoder/sharp.ts';
import type { Rendition, RenditionFit } from '../../src/domain/image/rendition.ts';

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const FITS: readonly RenditionFit[] = ['inside', 'cover', 'contain'];

/** Two by two patches of different colours, as stored. */
async function patches(orientation: number): Promise<Buffer> {
  const pixels = Buffer.alloc(80 * 40 * 4);
  for (let y = 0; y < 40; y += 1) {
    for (let x = 0; x < 80; x += 1) {
      pixels.set([x < 40 ? 250 : 20, y < 20 ? 230 : 30, x < 40 === y < 20 ? 90 : 160, 255], (y * 80 + x) * 4);
    }
  }
  return await sharp(pixels, { raw: { width: 80, height: 40, channels: 4 } })
    .withMetadata({ orientation })
    .png()
    .toBuffer();
}

async function jobOf(orientation: number, fit: RenditionFit): Promise<RenderJob> {
  const isOnItsSide = orientation > 4;
  const upright = isOnItsSide ? { width: 20, height: 40 } : { width: 40, height: 20 };
  const box = fit === 'inside' ? upright : { width: 20, height: 20 };
  const rendition: Rendition = { ...box, fit, format: 'png', quality: 75 };
  return { input: await patches(orientation), maxPixels: 1_000_000, box, rendition };
}

async function pixelsOf(png: Buffer): Promise<{ readonly size: readonly number[]; readonly data: Buffer }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { size: [info.width, info.height], data };
}

describe('A rendition in two stages', () => {
  for (const orientation of ORIENTATIONS) {
    for (const fit of FITS) {
      it(`equals one in one stage, for EXIF orientation ${orientation} with fit=${fit}`, async () => {
        const job = await jobOf(orientation, fit);
        const [one, two] = [await pixelsOf(await render(job)), await pixelsOf(await renderInTwoStages(job))];

        expect(two.size).to.deep.equal(one.size);
        const differences = one.data.map((value, index) => Math.abs(value - (two.data[index] ?? 0)));
        expect(Math.max(...differences)).to.be.at.most(2);
      });
    }
  }
});
