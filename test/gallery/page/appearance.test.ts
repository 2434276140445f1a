import { expect } from 'chai';
import sharp from 'sharp';
import { makePictures, photo } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, servers, signIn } from '../support/visits.ts';

const PICTURES = 80;

describeVisits('the look of the pictures', {}, () => {
  before(async () => {
    await servers.upload(await makePictures(PICTURES, 0, 20));
    await catalog.upload(new Uint8Array(await transparentPicture()), 'square.png');
    // Otherwise it is behind all others.
    await catalog.patch(PICTURES + 1, { takenAt: '2025-11-22T12:00:00Z' });
    const wide = await sharp({ create: { width: 3200, height: 400, channels: 3, background: 'olive' } })
      .jpeg()
      .toBuffer();
    const panorama = photo('panorama.jpg', wide, new Date('2025-11-21T12:00:00Z'));
    await catalog.upload(new Uint8Array(panorama.buffer), panorama.name);
  });

  beforeEach(() => signIn());

  it('a transparent picture has no preview behind it once it is there, and a ground of its own in the viewer', async () => {
    const cell = gallery.pictures.getByRole('option', { name: /^Picture of 22 / });
    await cell.locator('img[data-loaded]').waitFor();

    expect(await cell.evaluate((element) => getComputedStyle(element).backgroundImage)).to.equal('none');
    await cell.click();
    const shown = gallery.viewerPicture('square.png');
    await gallery.page.locator('img[data-transparent]').waitFor();
    expect(await shown.evaluate((image) => getComputedStyle(image).backgroundImage)).to.include(
      'conic-gradient',
    );
  });

  it('a panorama is as sharp as its box is high', async () => {
    const image = gallery.pictures
      .getByRole('option', { name: 'Picture of 21 Nov 2025, 12:00' })
      .locator('img[data-loaded]');
    await image.waitFor();

    const { natural, box } = await image.evaluate((element) => {
      const picture = element as HTMLImageElement;
      const ratio = picture.naturalWidth / picture.naturalHeight;
      return {
        natural: Number(picture.currentSrc.match(/\/(\d+)x/)?.[1]) / ratio,
        box: picture.clientHeight,
      };
    });
    expect(natural).to.be.at.least(box);
  });

  it('the marks are seen in forced colours', async () => {
    await gallery.page.emulateMedia({ forcedColors: 'active' });
    await gallery.select(0);

    const mark = await gallery.picture(0).evaluate((cell) => {
      const { backgroundColor, backgroundImage, forcedColorAdjust } = getComputedStyle(
        cell,
        '::after',
      ) as CSSStyleDeclaration & { readonly forcedColorAdjust: string };
      return { backgroundColor, backgroundImage, forcedColorAdjust };
    });
    expect(mark.forcedColorAdjust).to.equal('none');
    expect(mark.backgroundImage).to.include('check');
    const others = await gallery.page
      .locator('.grid-month-check')
      .first()
      .evaluate((check) => getComputedStyle(check).getPropertyValue('forced-color-adjust'));
    expect(others, 'the check mark of a month').to.equal('none');
    const ground = await gallery.page.evaluate('getComputedStyle(document.body).backgroundColor');
    for (const name of ['month', 'thumb']) {
      const color = await gallery.page
        .locator(`.scrubber-${name}`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(color, `the ${name} of the timeline`).not.to.equal(ground);
    }
  });
});

/** A square with nothing around it. */
async function transparentPicture(): Promise<Buffer> {
  const square = await sharp({ create: { width: 200, height: 200, channels: 4, background: 'teal' } })
    .png()
    .toBuffer();
  const empty = { r: 0, g: 0, b: 0, alpha: 0 };
  return await sharp({ create: { width: 400, height: 400, channels: 4, background: empty } })
    .composite([{ input: square }])
    .png()
    .toBuffer();
}
