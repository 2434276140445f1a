import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { RENDER, RENDER_IN_TWO_STAGES } from '../../src/decoder/picture-steps.ts';
import type { Render } from '../../src/decoder/protocol.ts';
import { runSteps } from '../../src/decoder/steps/run-steps.ts';
import type { OpenedFile } from '../../src/decoder/structure/file-structure.ts';
import { readStructure } from '../../src/decoder/structure/read-structure.ts';
import type { Box } from '../../src/domain/image/box.ts';
import { coverCrop } from '../../src/domain/image/cover-crop.ts';
import type { Focus } from '../../src/domain/image/focus.ts';
import type { Rendition, RenditionFit } from '../../src/domain/image/rendition.ts';

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const FITS: readonly RenditionFit[] = ['inside', 'cover', 'contain'];

interface RenderJob extends Omit<Render, 'kind'> {
  readonly input: Buffer;
}

async function startOf({ input, ...asked }: RenderJob): Promise<RenderStart> {
  // A decoder may change the file.
  const [file, mediaType] = [Buffer.from(input), 'image/png'] as const;
  const structure = await readStructure(file, mediaType, { maxPixels: 1_000_000, maxFramePixels: 1_000_000 });
  return { ...asked, file, mediaType, structure };
}

type RenderStart = Omit<RenderJob, 'input'> & OpenedFile;

async function render(job: RenderJob): Promise<Buffer> {
  return (await runSteps(await startOf(job), RENDER)).encoded;
}

async function renderInTwoStages(job: RenderJob): Promise<Buffer> {
  return (await runSteps(await startOf(job), RENDER_IN_TWO_STAGES)).encoded;
}

/** Two by two patches of different colours, as stored; with `opacity` 255 all of them are opaque. */
async function patches(orientation: number, opacity = 255): Promise<Buffer> {
  const pixels = Buffer.alloc(80 * 40 * 4);
  for (let y = 0; y < 40; y += 1) {
    for (let x = 0; x < 80; x += 1) {
      pixels.set(
        [x < 40 ? 250 : 20, y < 20 ? 230 : 30, x < 40 === y < 20 ? 90 : 160, opacity],
        (y * 80 + x) * 4,
      );
    }
  }
  return await sharp(pixels, { raw: { width: 80, height: 40, channels: 4 } })
    .withMetadata({ orientation })
    .png()
    .toBuffer();
}

async function jobOf(orientation: number, fit: RenditionFit, opacity?: number): Promise<RenderJob> {
  const isOnItsSide = orientation > 4;
  const upright = isOnItsSide ? { width: 20, height: 40 } : { width: 40, height: 20 };
  const box = fit === 'inside' ? upright : { width: 20, height: 20 };
  const rendition: Rendition = { ...box, fit, format: 'png', quality: 75 };
  return { input: await patches(orientation, opacity), box, rendition };
}

async function pixelsOf(png: Buffer): Promise<{ readonly size: readonly number[]; readonly data: Buffer }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { size: [info.width, info.height], data };
}

describe('A rendition in two stages', () => {
  for (const fit of FITS) {
    it(`equals one in one stage, on its side, with fit=${fit}`, async () => {
      const job = await jobOf(6, fit);
      const [one, two] = [await pixelsOf(await render(job)), await pixelsOf(await renderInTwoStages(job))];

      expect(two).to.deep.equal(one);
    });
  }

  it('equals one in one stage if the picture is translucent', async () => {
    const job = await jobOf(6, 'inside', 100);

    expect(await pixelsOf(await renderInTwoStages(job))).to.deep.equal(await pixelsOf(await render(job)));
  });
});

/** A black picture, as stored, with a white square of 8 pixels where the focus of the upright picture is. */
async function marked(orientation: number, upright: Box, focus: Focus): Promise<Buffer> {
  const [x, y] = [Math.round(upright.width * focus.x), Math.round(upright.height * focus.y)];
  const [left, top] = [Math.min(Math.max(x - 4, 0), upright.width - 8), Math.max(y - 4, 0)];
  const black = { create: { ...upright, channels: 3 as const, background: '#000000' } };
  const white = { create: { width: 8, height: 8, channels: 3 as const, background: '#ffffff' } };
  const picture = await sharp(black)
    .composite([{ input: white, left, top: Math.min(top, upright.height - 8) }])
    .png()
    .toBuffer();
  return await sharp(await asStored(picture, orientation))
    .withMetadata({ orientation })
    .png()
    .toBuffer();
}

/** Undoes what each orientation does: CIPA DC-008, tag 0x0112. */
async function asStored(upright: Buffer, orientation: number): Promise<Buffer> {
  const image = sharp(upright);
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  const degrees = { 3: 180, 4: 180, 5: 90, 6: 270, 7: 270, 8: 90 }[orientation] ?? 0;
  const turned = await image.rotate(degrees).png().toBuffer();
  return await sharp(turned).flop(isMirrored).png().toBuffer();
}

interface Marked {
  readonly image: Box;
  readonly box: Box;
  readonly focus: Focus;
  readonly orientation?: number;
}

async function croppedJob({ image, box, focus, orientation = 1 }: Marked): Promise<RenderJob> {
  return {
    input: await marked(orientation, image, focus),
    box,
    rendition: { ...box, fit: 'cover', format: 'png', quality: 75, focus },
    crop: coverCrop(image, box, focus),
  };
}

/** The middle of what is white. */
async function whiteAt(png: Buffer): Promise<readonly [number, number]> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const white = [...data].flatMap((value, at) => (value > 128 ? [at] : []));
  const mean = (places: readonly number[]): number =>
    places.reduce((sum, place) => sum + place + 0.5, 0) / places.length;
  return [mean(white.map((at) => at % info.width)), mean(white.map((at) => Math.floor(at / info.width)))];
}

async function expectFocusAt(job: RenderJob, expected: readonly [number, number]): Promise<void> {
  for (const draw of [render, renderInTwoStages]) {
    const png = await draw(job);
    const { width, height } = await sharp(png).metadata();
    expect({ width, height }).to.deep.equal(job.box);
    const [x, y] = await whiteAt(png);
    expect(Math.max(Math.abs(x - expected[0]), Math.abs(y - expected[1])), `${x}, ${y}`).to.be.at.most(1);
  }
}

describe('A crop', () => {
  const LANDSCAPE = { width: 400, height: 200 };
  const SQUARE = { width: 100, height: 100 };

  for (const orientation of ORIENTATIONS) {
    it(`keeps the focus of the upright picture in the middle, for EXIF orientation ${orientation}`, async () => {
      const focus = { x: 0.6, y: 0.3 };
      await expectFocusAt(await croppedJob({ image: LANDSCAPE, box: SQUARE, focus, orientation }), [50, 30]);
      const portrait = { width: 200, height: 400 };
      await expectFocusAt(
        await croppedJob({ image: portrait, box: { width: 100, height: 50 }, focus, orientation }),
        [60, 25],
      );
    });
  }

  for (const [focus, place] of [
    [{ x: 0, y: 0 }, [2, 2]],
    [{ x: 1, y: 1 }, [98, 98]],
    [{ x: 0.125, y: 0.5 }, [25, 50]],
    [{ x: 0.875, y: 0.5 }, [75, 50]],
  ] as const) {
    it(`stops at the edges for the focus ${focus.x}, ${focus.y}`, async () => {
      await expectFocusAt(await croppedJob({ image: LANDSCAPE, box: SQUARE, focus }), place);
    });
  }

  it('with the focus in the middle has the pixels of one without', async () => {
    const job = await croppedJob({ image: LANDSCAPE, box: SQUARE, focus: { x: 0.5, y: 0.5 } });
    const [focused, plain] = [await render(job), await render({ ...job, crop: undefined })];

    expect((await pixelsOf(focused)).data.equals((await pixelsOf(plain)).data)).to.equal(true);
  });
});
