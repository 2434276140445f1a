import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { arrive, describeVisits, gallery, load } from '../support/visits.ts';

const PICTURES = 160;
const FRAMES = 25;
/** A clock cannot be stopped at a time that is over when the page hears of it. */
const FUTURE_MS = 60_000;

describeVisits('the pictures while the page is scrolled', { pictures: () => makePictures(PICTURES) }, () => {
  let requested: string[];
  let cancelled: string[];

  beforeEach(async () => {
    await arrive();
    requested = [];
    cancelled = [];
    gallery.page.on('request', (request) => {
      if (isPicture(request.url())) requested.push(request.url());
    });
    gallery.page.on('requestfailed', (request) => {
      if (isPicture(request.url()) && request.failure()?.errorText === 'net::ERR_ABORTED') {
        cancelled.push(request.url());
      }
    });
  });

  it('a fling requests nothing that the service has to make, and the pictures at its end become sharp', async () => {
    await load();
    // Those around the view come when those in view are there.
    await gallery.page.locator('img[data-loaded=later]').first().waitFor({ state: 'attached' });
    await gallery.expectPicturesLoaded();
    requested.length = 0;

    // A busy machine takes longer for a frame than a finger for a pause.
    const { clock } = gallery.page;
    await clock.install();
    await clock.pauseAt(Date.now() + FUTURE_MS);
    for (let frame = 0; frame < FRAMES; frame += 1) {
      await gallery.page.evaluate(SCROLL_ON);
      await clock.runFor(16);
    }
    expect(requested).to.deep.equal([]);

    await clock.resume();
    const sharp = await eventually(
      () => requested.filter((url) => !isPrerendered(url)).length,
      (count) => count > 0,
    );
    expect(sharp).to.be.within(1, PICTURES / 4);
    await gallery.expectPicturesLoaded();
  });

  it('a picture that leaves before it is loaded cancels its request', async () => {
    await gallery.page.route('**/d/**', () => undefined);
    await load();
    await expectSoon(() => requested.length >= 10, true);
    // More may follow before the page is scrolled.
    const first = requested.slice();

    await gallery.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');

    await expectSoon(() => first.filter((url) => !cancelled.includes(url)), []);
  });
});

function isPicture(url: string): boolean {
  return url.includes('/d/');
}

/** `PRERENDER` of the service. */
function isPrerendered(url: string): boolean {
  return /\/320x[^/]*\.webp\//.test(url);
}

/** Resolves when the page knows. */
const SCROLL_ON = `new Promise((resolve) => {
  addEventListener('scroll', () => resolve(scrollY), { once: true });
  scrollBy({ top: 250, behavior: 'instant' });
})`;
