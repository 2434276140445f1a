import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { passTimeUntil } from '../support/pass-time-until.ts';
import { arrive, catalog, describeVisits, gallery, load, other, servers } from '../support/visits.ts';

const IN_VIEW = 12;
const TALL = { viewport: { width: 1280, height: 1100 } };
const PICTURES = '**/d/**';
/** Longer than all attempts that are made by themselves. */
const ALL_ATTEMPTS_MS = 30_000;

describeVisits('pictures that could not be loaded', { pictures: () => makePictures(IN_VIEW) }, () => {
  beforeEach(async () => {
    await arrive(TALL);
    gallery.watch.expectFault(/net::ERR_|status of 503/);
  });

  it('come back after the device was offline', async () => {
    const requests = await holdPictures();
    await gallery.page.context().setOffline(true);
    await requests.end((route) => route.abort('internetdisconnected'));
    await expectLoaded(0);

    await gallery.page.unroute(PICTURES);
    await gallery.page.context().setOffline(false);

    await expectLoaded(IN_VIEW);
    gallery.watch.expectCalm('a device that was offline');
  });

  it('come back after the service was killed and started', async () => {
    const requests = await holdPictures();
    await servers.stopService('SIGKILL');
    await requests.end((route) => route.continue());
    await gallery.page.unroute(PICTURES);
    await expectLoaded(0);

    await servers.startService();

    await expectLoaded(IN_VIEW);
    gallery.watch.expectCalm('a service that was killed');
  });

  it('come back after their requests were refused', async () => {
    await refuseFirst((route) => route.abort('connectionrefused'));

    await load();

    await expectLoaded(IN_VIEW);
    gallery.watch.expectCalm('refused requests');
  });

  it('come back after a busy service asked for time', async () => {
    await refuseFirst((route) => route.fulfill({ status: 503, headers: { 'Retry-After': '1' } }));

    await load();

    await expectLoaded(IN_VIEW);
    gallery.watch.expectCalm('a busy service');
  });

  it('are offered again after the last attempt, all of them by one tap', async () => {
    await gallery.page.clock.install();
    await gallery.page.route(PICTURES, (route) => route.fulfill({ status: 503 }));
    await load();
    const again = gallery.page.getByRole('button', { name: /^Try again: / });
    await expectSoon(async () => {
      await gallery.page.clock.fastForward(ALL_ATTEMPTS_MS);
      return await again.count();
    }, IN_VIEW);
    await gallery.page.unroute(PICTURES);

    await again.first().click();

    await expectLoaded(IN_VIEW);
    await expectSoon(() => again.count(), 0);
    gallery.watch.expectCalm('an attempt by hand');
  });

  it('do not ask for anything once they are there', async () => {
    await load();
    await expectLoaded(IN_VIEW);
    const urls: string[] = [];
    gallery.page.on('request', (request) => urls.push(request.url()));
    await gallery.page.context().setOffline(true);
    await gallery.banner('You are offline.').waitFor();
    await gallery.page.context().setOffline(false);
    await gallery.banner('You are offline.').waitFor({ state: 'hidden' });

    expect(urls.filter((url) => url.includes('/d/'))).to.deep.equal([]);
    await expectLoaded(IN_VIEW);
  });
});

describeVisits('a picture that could not be loaded', { pictures: () => makePictures(3) }, () => {
  it('keeps its preview in the viewer, which says so, and comes back by another attempt', async () => {
    await arrive();
    gallery.watch.expectFault(/net::ERR_/);
    // It grows with what it says, and moves nothing else.
    gallery.watch.expectFault(/^layout shift of \S+ <div class="picture-waiting">/);
    await gallery.page.clock.install();
    await load();
    await expectLoaded(3);
    await gallery.page.route(PICTURES, (route) => route.abort('connectionrefused'));
    await gallery.picture(0).click();

    await passTimeUntil(gallery.page.getByRole('status').getByText('The picture could not be loaded.'));

    await gallery.expectViewer('cat-001.jpg');
    await gallery.page.unroute(PICTURES);
    await gallery.button('Try again').click();
    await gallery.page.getByText('The picture could not be loaded.').waitFor({ state: 'hidden' });
    await expectSoon(
      () =>
        gallery
          .viewerPicture('cat-001.jpg')
          .evaluate((image) => (image as HTMLImageElement).currentSrc.includes('/d/')),
      true,
    );
    await gallery.expectViewer('cat-001.jpg');
    gallery.watch.expectCalm('a picture that failed');
  });

  it('keeps its place on a page to share, where a link without a script loads it again', async () => {
    const ids = (await catalog.list()).map(({ id }) => id);
    const { page = null } = await other.links(ids, { page: { title: null } });
    await arrive();
    await gallery.page.route(PICTURES, (route) => route.abort('connectionrefused'));
    await gallery.page.goto(page ?? '');
    const tall = `[...document.images].filter(({ clientHeight }) => clientHeight > 100).length`;
    expect(await gallery.page.evaluate(tall), 'places of pictures').to.equal(3);
    await gallery.page.unroute(PICTURES);

    await gallery.page.getByRole('link', { name: 'Load the page again' }).click();

    await expectSoon(
      () => gallery.page.evaluate<number>(`[...document.images].filter(${IS_LOADED}).length`),
      3,
    );
  });

  it('comes back on the page of tags', async () => {
    for (const [at, { id }] of (await catalog.list()).entries()) {
      await catalog.patch(id, { tags: [`tag ${at}`] });
    }
    await arrive();
    gallery.watch.expectFault(/net::ERR_/);
    await refuseFirst((route) => route.abort('connectionrefused'));

    await load('?view=tags');

    await expectSoon(
      () =>
        gallery.page.evaluate<number>(
          `[...document.querySelectorAll('.tag-card-picture')].filter(${IS_LOADED}).length`,
        ),
      3,
    );
  });
});

/** Not the preview: that is no request. */
const IS_LOADED = `(image) => image.naturalWidth > 0 && image.currentSrc.includes('/d/')`;

async function expectLoaded(count: number): Promise<void> {
  await expectSoon(
    () =>
      gallery.page.evaluate<number>(
        `[...document.querySelectorAll('.grid-cell img')].filter(${IS_LOADED}).length`,
      ),
    count,
    'pictures that are there',
  );
}

/** Signs in. Until `end`, no request for a picture gets a response. */
async function holdPictures(): Promise<{
  readonly end: (how: (route: Route) => Promise<void>) => Promise<void>;
}> {
  const held: Route[] = [];
  let ended: ((route: Route) => Promise<void>) | undefined;
  await gallery.page.route(PICTURES, async (route) => {
    if (ended === undefined) held.push(route);
    else await ended(route);
  });
  await load();
  await expectSoon(() => held.length, IN_VIEW);
  return {
    end: async (how) => {
      ended = how;
      for (const route of held) await how(route);
    },
  };
}

/** The first request for each address. */
async function refuseFirst(how: (route: Route) => Promise<void>): Promise<void> {
  const seen = new Set<string>();
  await gallery.page.route(PICTURES, async (route) => {
    const url = route.request().url();
    if (seen.has(url)) return await route.continue();
    seen.add(url);
    await how(route);
  });
}
