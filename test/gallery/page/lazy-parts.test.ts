import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { makePictures } from '../support/gallery-pictures.ts';
import { arrive, describeVisits, gallery, load } from '../support/visits.ts';

/** Chunks that come after the first page, and some that they import: a module that has failed fails all that import it. */
const PARTS =
  /\/(filter-list|viewer-dialog|panel|shortcuts-list|selection-toolbar|upload-panel|load-date-finder|tag-input|use-wheel|format-taken)-/;

/** What waits for longer than 3 s grows with what it says, and moves nothing else. */
const WORDS =
  /^layout shift of \S+( <\w+ class="(picture-waiting|coming-dialog floating|waiting-\w+)"><\/\w+> from [-\d ]+ to [-\d ]+;?)+$/;

describeVisits('parts that are loaded when they are needed', { pictures: () => makePictures(3) }, () => {
  beforeEach(async () => {
    await arrive();
    gallery.watch.expectFault(/net::ERR_|status of 404/);
    gallery.watch.expectFault(WORDS);
  });

  it('no action empties the page if the files of the gallery have been replaced', async () => {
    await signInWithoutParts(async (route) => await route.fulfill({ status: 404, body: 'Not Found' }));

    await expectPageAfterEveryAction();

    const updated = gallery.banner('The gallery was updated.');
    await updated.waitFor();
    await gallery.picture(0).click();
    const address = gallery.page.url();
    expect(address).to.match(/q=cat.*image=/);
    await gallery.page.unroute('**/assets/*');
    // Which dialog covers which depends on what has been loaded; each offers the same.
    await gallery.button('Reload').last().dispatchEvent('click');
    await gallery.viewerPicture('cat-001.jpg').waitFor();
    expect(gallery.page.url()).to.equal(address);
    expect(await updated.count()).to.equal(0);
    gallery.watch.expectCalm('replaced files');
  });

  it('a part whose load failed appears by itself when it can be loaded', async () => {
    await signInWithoutParts(async (route) => await route.abort());

    await expectPageAfterEveryAction();

    await gallery.picture(0).click();
    await gallery.page.unroute('**/assets/*');
    await gallery.viewerPicture('cat-001.jpg').waitFor();
    // They were asked for when there was no code for them.
    await gallery.titleField.waitFor();
    await gallery.press('Escape');
    await expectFilters();
    gallery.watch.expectCalm('loads that failed');
  });

  it('the pictures of a session that is continued do not wait for the code that signs in', async () => {
    await gallery.page.route('**/assets/oidc-sign-in-*', () => undefined);

    await load();

    await gallery.expectPictures(3);
  });

  it('the filters of a search that began offline appear when the device is online again', async () => {
    await signInWithoutParts(async (route) => await route.abort());
    await gallery.page.context().setOffline(true);

    await gallery.searchField.fill('cat');
    await gallery.banner('You are offline.').waitFor();
    await gallery.title.waitFor();
    await gallery.page.unroute('**/assets/*');
    await gallery.page.context().setOffline(false);

    await expectFilters();
    await gallery.banner('You are offline.').waitFor({ state: 'hidden' });
    gallery.watch.expectCalm('a search while the device is offline');
  });

  /** A request for the script of the page itself is refused as well: only the replaced files tell that they are. */
  async function signInWithoutParts(refuse: (route: Route) => Promise<void>): Promise<void> {
    await gallery.page.route('**/assets/*', async (route) => {
      const request = route.request();
      if (request.method() === 'HEAD' || PARTS.test(request.url())) await refuse(route);
      else await route.continue();
    });
    await load();
    await gallery.expectPictures(3);
    await gallery.searchField.waitFor();
  }

  /** On a wide screen the words are in the search field only. */
  async function expectFilters(): Promise<void> {
    await gallery.page
      .getByRole('button', { name: 'Clear all', includeHidden: true })
      .waitFor({ state: 'attached' });
  }

  async function expectPageAfterEveryAction(): Promise<void> {
    const known = await makePictures(1);
    const actions: Readonly<Record<string, () => Promise<unknown>>> = {
      'a search': () => gallery.searchField.fill('cat'),
      // Without the code that knows months it is a word, which no picture has.
      'a month': () => gallery.searchField.fill('cat november'),
      'the search again': () => gallery.searchField.fill('cat'),
      'the list of keys': () => gallery.button('Account and settings').press('?'),
      'a picture': () => gallery.picture(0).click(),
      'its details': () => gallery.press('i'),
      'the grid again': () => gallery.press('Escape'),
      'a selection': () => gallery.select(1),
      'tags of the selection': () => gallery.press('t'),
      'no selection': () => gallery.press('Escape'),
      'an upload': () => gallery.upload(known),
    };
    for (const [what, act] of Object.entries(actions)) {
      await act();
      if (what === 'a month') await gallery.nothingFound.waitFor();
      else await gallery.expectPictures(3);
      expect(await gallery.title.isVisible(), `the page after ${what}`).to.equal(true);
    }
  }
});
