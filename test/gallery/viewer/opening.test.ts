import { expect } from 'chai';
import sharp from 'sharp';
import { eventually } from '../../support/time/eventually.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { makePictures, type PickedFile, photo } from '../support/gallery-pictures.ts';
import { arrive, describeVisits, gallery, load, signIn } from '../support/visits.ts';

const STAGE_HEIGHT = 800;
const PANORAMA = 'panorama.jpg';

describeVisits('an open picture', { pictures }, () => {
  it('is there before the code of the viewer, with a way back', async () => {
    await openWithoutViewer();

    await gallery.picture(1).click();
    const picture = gallery.viewerPicture('cat-001.jpg');
    const early = await picture.boundingBox();
    expect(early?.width).to.equal(480);
    await gallery.press('ArrowRight');
    await gallery.viewerPicture('cat-002.jpg').waitFor();
    await gallery.press('ArrowLeft');
    await picture.waitFor();
    await gallery.press('Escape');
    await picture.waitFor({ state: 'detached' });
    await gallery.picture(1).click();
    await gallery.button('Back to the pictures').click();
    await picture.waitFor({ state: 'detached' });
    await expectFocus(gallery.picture(1));
  });

  it('stays where it is when the code of the viewer comes', async () => {
    const release = await openWithoutViewer();
    await gallery.picture(0).click();
    const picture = gallery.viewerPicture(PANORAMA);
    const early = await picture.boundingBox();

    release();
    await gallery.button('Zoom in').waitFor();

    expect(await picture.boundingBox()).to.deep.equal(early);
    gallery.watch.expectCalm('the opened picture');
  });

  it('is dark in both themes, and says which it is and when it was taken', async () => {
    await signIn({ colorScheme: 'light' });
    await gallery.picture(1).click();
    await gallery.button('Details').click();

    expect(await backgroundOf('.viewer-panel')).to.equal('rgb(17, 18, 20)');
    expect(await backgroundOf('.viewer-backdrop')).to.match(/^(rgb\(0, 0, 0\)|color\(srgb 0 0 0\))$/);
    const bar = gallery.page.locator('.viewer-bar');
    await bar.getByRole('heading', { name: 'cat-001.jpg' }).waitFor();
    await bar.getByText('20 Nov 2025, 12:00', { exact: true }).waitFor();
  });

  it('fills the window with a panorama before it shows its pixels', async () => {
    await signIn();
    await gallery.picture(0).click();
    const picture = gallery.viewerPicture(PANORAMA);
    await gallery.button('Zoom in').waitFor();
    const whole = await picture.boundingBox();
    await gallery.button('Zoom in').click();
    await expectHeight(picture, STAGE_HEIGHT);
    await gallery.button('Zoom in').click();
    await expectHeight(picture, 1000);
    await gallery.button('Show the whole picture').click();
    await expectHeight(picture, whole?.height ?? 0);
  });
});

async function pictures(): Promise<readonly PickedFile[]> {
  const create = { width: 6000, height: 1000, channels: 3, background: '#567' } as const;
  const jpeg = await sharp({ create }).jpeg().toBuffer();
  return [photo(PANORAMA, jpeg, new Date('2025-11-21T12:00:00Z')), ...(await makePictures(2))];
}

/** @returns a function that lets it come */
async function openWithoutViewer(): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await arrive();
  await gallery.page.route('**/assets/viewer-dialog-*', async (route) => {
    await released;
    await route.continue();
  });
  await load();
  await gallery.picture(1).getByRole('img').waitFor();
  return release;
}

async function backgroundOf(selector: string): Promise<string> {
  return await gallery.page
    .locator(selector)
    .evaluate((element) => getComputedStyle(element).backgroundColor);
}

async function expectHeight(
  picture: ReturnType<typeof gallery.viewerPicture>,
  height: number,
): Promise<void> {
  const heightOf = async (): Promise<number> => (await picture.boundingBox())?.height ?? 0;
  const seen = await eventually(heightOf, (pixels) => Math.abs(pixels - height) < 0.5);
  expect(seen).to.be.closeTo(height, 0.5);
}
