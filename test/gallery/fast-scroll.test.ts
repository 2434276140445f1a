import { expect } from 'chai';
import { eventually } from '../support/fixtures/eventually.ts';
import { GalleryPage } from './gallery-page.ts';
import { makePictures } from './gallery-pictures.ts';
import { GalleryServers } from './gallery-servers.ts';
import { describeInChromium } from './in-chromium.ts';

const PICTURES = 160;

describeInChromium('the pictures while the page is scrolled', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;
  let requested: string[];
  let cancelled: string[];

  before(async () => {
    servers = await GalleryServers.start();
    const catalog = await servers.client();
    for (const { name, buffer } of await makePictures(PICTURES))
      await catalog.upload(new Uint8Array(buffer), name);
  });

  after(() => servers?.stop());

  beforeEach(async () => {
    gallery = await GalleryPage.open(browser(), servers.url);
    requested = [];
    cancelled = [];
    gallery.page.on('request', (request) => {
      if (isPicture(request.url())) requested.push(request.url());
    });
    gallery.page.on('requestfailed', (request) => {
      if (isPicture(request.url()) && request.failure()?.errorText === 'net::ERR_ABORTED')
        cancelled.push(request.url());
    });
  });

  afterEach(() => gallery?.close());

  it('a fling requests nothing that the service has to make, and the pictures at its end become sharp', async () => {
    await gallery.signIn();
    await gallery.picture(0).locator('img[data-loaded]').waitFor();
    await gallery.expectPicturesLoaded();
    requested.length = 0;

    const passed = await gallery.page.evaluate<number>(FLING);
    expect(passed).to.be.greaterThan(5000);
    // On a busy machine the page stands still between two frames for longer than it takes to ask for the first ones.
    expect(requested.filter((url) => !isPrerendered(url))).to.deep.equal([]);
    expect(requested.length).to.be.below(PICTURES / 2);
    requested.length = 0;

    await gallery
      .picture(PICTURES - 1)
      .locator('img[data-loaded]')
      .waitFor();
    await gallery.expectPicturesLoaded();
    const sharp = await eventually(
      () => requested.filter((url) => !isPrerendered(url)).length,
      (count) => count > 0,
    );
    expect(sharp).to.be.within(1, PICTURES / 4);
  });

  it('a picture that leaves before it is loaded cancels its request', async () => {
    await gallery.page.route('**/d/**', () => undefined);
    await gallery.signIn();
    await eventually(
      () => requested.length,
      (count) => count >= 10,
    );
    const first = requested.splice(0);

    await gallery.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');

    await eventually(
      () => cancelled.length,
      (count) => count >= first.length,
    );
    expect(cancelled).to.have.members(first);
  });
});

function isPicture(url: string): boolean {
  return url.includes('/d/');
}

/** `PRERENDER` of the service. */
function isPrerendered(url: string): boolean {
  return /\/320x[^/]*\.webp\//.test(url);
}

/** To the end, ten pixels in a millisecond. Resolves to the distance. */
const FLING = `new Promise((resolve) => {
  let last = performance.now();
  const step = () => {
    const before = window.scrollY;
    const now = performance.now();
    window.scrollBy({ top: Math.max(100, 10 * (now - last)), behavior: 'instant' });
    last = now;
    if (window.scrollY + window.innerHeight > document.documentElement.scrollHeight - 20) resolve(before);
    else requestAnimationFrame(step);
  };
  step();
})`;
