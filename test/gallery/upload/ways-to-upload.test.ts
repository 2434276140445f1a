import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { makePictures, truncatedPicture } from '../support/gallery-pictures.ts';
import { arrive, describeVisits, gallery, load, signIn } from '../support/visits.ts';

const FULL = {
  status: 503,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    'Retry-After': '1',
    'X-Request-Id': 'request-17',
  },
  json: { code: 'storage_unavailable', message: 'The storage is unavailable' },
};

describeVisits('ways to upload', {}, () => {
  it('a picture of the clipboard is pasted, also while the search has the focus', async () => {
    await signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await gallery.emptyCatalog.waitFor();
    await gallery.page.evaluate(COPY_PICTURE);

    await gallery.press('Control+v');
    await gallery.expectUploads('1 uploaded');
    await gallery.uploadRow('Pasted').waitFor();

    await gallery.searchField.focus();
    await gallery.press('Control+v');
    await gallery.expectUploads('1 uploaded, 1 already here');
    gallery.watch.expectCalm('pasting');
  });

  it('a name stays where it is when a reason of two lines comes below it', async () => {
    await signIn();
    gallery.watch.expectFault(/status of 422/);
    await gallery.upload([...(await makePictures(1, 11)), await truncatedPicture()]);
    await gallery.expectUploads('1 uploaded, 1 refused');

    const [uploaded, refused] = await Promise.all([
      placesIn(gallery.uploads.getByRole('listitem').first()),
      placesIn(gallery.uploadRow('truncated.jpg')),
    ]);

    expect(refused.stateHeight).to.be.greaterThan(1.5 * uploaded.stateHeight);
    expect(refused.nameTop).to.equal(uploaded.nameTop);
  });

  it('text of the clipboard goes into the field', async () => {
    await signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await gallery.page.evaluate(`navigator.clipboard.writeText('cat')`);

    await gallery.searchField.focus();
    await gallery.press('Control+v');

    expect(await gallery.searchField.inputValue()).to.equal('cat');
    expect(await gallery.uploads.count()).to.equal(0);
  });

  it('a phone offers its camera', async () => {
    await arrive({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await gallery.page.addInitScript(CAPTURE);
    await load();
    await gallery.button('More ways to upload').click();
    const camera = gallery.button('Take a photo…');
    await camera.waitFor();
    expect(await gallery.button('Upload a folder…').count()).to.equal(0);
    const [chooser] = await Promise.all([gallery.page.waitForEvent('filechooser'), camera.click()]);

    expect(await chooser.element().getAttribute('capture')).to.equal('environment');
    const [photo] = await makePictures(1, 7);
    await chooser.setFiles(photo ?? []);
    await gallery.expectUploads('1 uploaded');
  });

  it('a computer offers folders, and no camera', async () => {
    await signIn();
    await gallery.button('More ways to upload').click();

    await gallery.button('Upload a folder…').waitFor();
    expect(await gallery.button('Take a photo…').count()).to.equal(0);
  });

  it('a catalog whose storage is full says so to the person and to the operator, and takes the picture when there is room', async () => {
    await signIn();
    gallery.watch.expectFault(/status of 503/);
    await gallery.page.route('**/api/upload', (route) => route.fulfill(FULL));

    await gallery.upload(await makePictures(1, 3));

    await gallery.uploads.getByText(/^The catalog cannot store pictures at present/).waitFor();
    await gallery.uploads.getByText('storage_unavailable, request request-17').waitFor();
    await gallery.page.unroute('**/api/upload');
    await gallery.expectUploads('1 uploaded');
  });
});

/** Chromium has the property on Android only. */
const CAPTURE = `Object.defineProperty(HTMLInputElement.prototype, 'capture', {
  set(value) { this.setAttribute('capture', value); },
})`;

/** A drawing of 40 by 30 pixels: browsers copy pictures as PNG. */
const COPY_PICTURE = `(async () => {
  const canvas = new OffscreenCanvas(40, 30);
  const context = canvas.getContext('2d');
  for (let x = 0; x < 40; x += 1) {
    context.fillStyle = 'hsl(' + x * 9 + ' 80% 50%)';
    context.fillRect(x, 0, 1, 30);
  }
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
})()`;

/** Pixels below the top of the row, and the height of the text below the name. */
async function placesIn(row: Locator): Promise<{ readonly nameTop: number; readonly stateHeight: number }> {
  const places = [row, row.locator('.upload-row-name'), row.locator('.upload-row-state')];
  const [outer, name, state] = await Promise.all(places.map((place) => place.boundingBox()));
  if (!outer || !name || !state) throw new Error('The row is not shown');
  return { nameTop: name.y - outer.y, stateHeight: state.height };
}
