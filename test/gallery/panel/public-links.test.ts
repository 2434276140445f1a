import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from '../support/check-view.ts';
import { type PickedFile, photo } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, signIn } from '../support/visits.ts';

const NAME = 'cat-at-home.jpg';
/** 43° 28′ 2.814″ S, 11° 53′ 6.456″ E. */
const PLACE = { 1: 'S', 2: [43, 28, 2.814], 3: 'E', 4: [11, 53, 6.456] };
const FACTS = '43.46745° S, 11.88513° E · Example Camera 1 · 3 May 2026, 14:03:22 · cat-at-home.jpg';

let original: Buffer;

async function pictures(): Promise<readonly PickedFile[]> {
  const jpeg = await sharp({ create: { width: 480, height: 360, channels: 3, background: '#c85' } })
    .jpeg()
    .toBuffer();
  const picture = photo(NAME, jpeg, new Date('2026-05-03T14:03:22Z'), PLACE);
  original = picture.buffer;
  return [picture];
}

describeVisits('what is given out of a picture', { pictures, env: { METADATA_GPS: 'store' } }, () => {
  const tellAll = (): Locator => gallery.panel.getByRole('checkbox', { name: 'With camera data and place' });

  beforeEach(async () => {
    await signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await gallery.picture(0).click();
    await gallery.expectViewer(NAME);
    await gallery.showPanel();
    await gallery.showForWebsites();
    await tellAll().waitFor();
  });

  async function copiedFile(): Promise<Response> {
    const clipboard = (): Promise<string> => gallery.page.evaluate('navigator.clipboard.readText()');
    const before = await clipboard();
    await gallery.panel.getByRole('button', { name: /^Copy public link/ }).click();
    const link = await eventually(clipboard, (text) => text !== before);
    return await fetch(link);
  }

  it('is the picture alone, unless the person chooses the file, and sees what it tells', async () => {
    await gallery.panel.getByText(`The file then also tells: ${FACTS}`).scrollIntoViewIfNeeded();
    expect(await tellAll().isChecked()).to.equal(false);
    await checkView('public-link');
    const clean = await copiedFile();
    await expectClean(Buffer.from(await clean.arrayBuffer()));
    expect(clean.headers.get('content-disposition')).to.include('image-1.jpg');

    await gallery.tabTo(tellAll());
    await gallery.press('Space');
    await gallery.panel.getByText('Shows everyone the original file, for 7 days.').waitFor();
    await checkView('public-link-with-place');
    const file = await copiedFile();
    expect(Buffer.from(await file.arrayBuffer()).equals(original)).to.equal(true);
    expect(file.headers.get('content-disposition')).to.include(NAME);
  });

  it('is saved in both forms', async () => {
    const saved = gallery.page.waitForEvent('download');
    await gallery.button('Without camera data and place').click();
    await expectClean(await readFile(await (await saved).path()));

    const whole = gallery.page.waitForEvent('download');
    await gallery.panel.getByRole('button', { name: /^Original, / }).click();
    expect((await readFile(await (await whole).path())).equals(original)).to.equal(true);
  });
});

/** Neither place nor camera nor time: no block that could have them. The pixels are those of the original. */
async function expectClean(bytes: Buffer): Promise<void> {
  expect((await sharp(original).metadata()).exif).to.be.instanceOf(Buffer);
  expect((await sharp(bytes).metadata()).exif).to.equal(undefined);
  expect(bytes.includes('Example')).to.equal(false);
  expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(original).raw().toBuffer())).to.equal(true);
}
