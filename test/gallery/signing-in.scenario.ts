import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
import { expectAccessible } from './accessibility.ts';
import { GalleryPage } from './gallery-page.ts';
import { GalleryServers } from './gallery-servers.ts';
import { Keyboard } from './keyboard.ts';
import { Mouse } from './mouse.ts';
import { takeScreenshots } from './screenshots.ts';

/** The gallery renews a token when two thirds of its time are over. */
const TOKEN_LIFETIME_SECONDS = 7;

export function describeSigningIn(browser: () => Browser): void {
  describe('signing in', () => {
    let servers: GalleryServers;
    let gallery: GalleryPage;

    before(async () => {
      servers = await GalleryServers.start();
    });

    after(() => servers?.stop());

    beforeEach(async () => {
      gallery = await GalleryPage.open(browser(), servers.url);
    });

    afterEach(() => gallery?.close());

    it('says what to do before it', async () => {
      await gallery.signInButton.waitFor();

      await expectAccessible(gallery.page, 'signed out');
      gallery.watch.expectCalm('signed out');
      await takeScreenshots(gallery.page, 'signed-out');
    });

    it('takes one click at the provider, and one to sign out again', async () => {
      await gallery.signIn();
      gallery.watch.expectCalm('signing in');

      await new Mouse(gallery).signOut();

      await gallery.signInButton.waitFor();
      gallery.watch.expectCalm('signing out');
    });

    it('works by keyboard alone', async () => {
      await new Keyboard(gallery).signIn();

      gallery.watch.expectCalm('signing in');
    });

    it('leads back to the view that was asked for', async () => {
      await gallery.page.goto(`${servers.url}?sort=added`);

      await gallery.signIn();

      const query = await eventually(
        () => new URL(gallery.page.url()).search,
        (search) => search === '?sort=added',
      );
      expect(query).to.equal('?sort=added');
    });

    it('lasts across a reload', async () => {
      await gallery.signIn();

      await gallery.page.reload();

      await gallery.title.waitFor();
      gallery.watch.expectCalm('a reload');
    });
  });

  describe('signing in again', () => {
    let servers: GalleryServers;
    let gallery: GalleryPage;

    before(async () => {
      servers = await GalleryServers.start({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
    });

    after(() => servers?.stop());

    beforeEach(async () => {
      gallery = await GalleryPage.open(browser(), servers.url);
      await gallery.signIn();
    });

    afterEach(() => gallery?.close());

    it('happens in a window without an opener, which closes itself', async () => {
      gallery.watch.expectFault(/status of 400/);
      await gallery.page.route(/\/oauth\/token$/, (route) =>
        route.fulfill({
          status: 400,
          headers: { 'access-control-allow-origin': '*' },
          json: { error: 'invalid_grant' },
        }),
      );
      await gallery.banner('Your session has ended').waitFor();
      await gallery.page.unroute(/\/oauth\/token$/);
      // With its cookies the provider would ask nothing.
      await gallery.page.context().clearCookies();

      const [aside] = await Promise.all([gallery.page.waitForEvent('popup'), gallery.signInButton.click()]);
      await aside.waitForURL((url) => url.origin === new URL(servers.provider.issuer).origin);
      expect(await aside.evaluate('window.opener')).to.equal(null);

      await Promise.all([
        aside.waitForEvent('close'),
        aside.getByRole('button', { name: 'Sign in as Demo' }).click(),
      ]);
      await gallery.banner('Your session has ended').waitFor({ state: 'detached' });
      expect(await gallery.title.count()).to.equal(1);
    });
  });
}
