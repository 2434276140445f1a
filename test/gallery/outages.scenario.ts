import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
import type { CatalogClient } from '../support/http/catalog-client.ts';
import { GalleryPage } from './gallery-page.ts';
import { makePictures } from './gallery-pictures.ts';
import { GalleryServers } from './gallery-servers.ts';

/** The gallery renews a token when 5 s of it are left. */
const TOKEN_LIFETIME_SECONDS = 7;
const MINUTE_MS = 60_000;
/** Of the long variant; there is none without it. */
const MINUTES = Number(process.env.GALLERY_MINUTES ?? 0);
const BATCH = 10;
/** Uploads under way when the service is killed. */
const MANY = 60;
/** Waits of the gallery between attempts count too. */
const RECOVERED_WITHIN_MS = 45_000;

export function describeOutages(browser: () => Browser): void {
  describe('uploads through outages', function () {
    // The browser, the service and the provider share a machine with other tests: a fault shows itself twice, a stall once.
    this.retries(1);
    let servers: GalleryServers;
    let catalog: CatalogClient;
    let gallery: GalleryPage;
    let chosen: number;
    let renewals: number;

    beforeEach(async () => {
      servers = await GalleryServers.start({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
      catalog = await servers.client();
      gallery = await GalleryPage.open(browser(), servers.url);
      chosen = 0;
      renewals = 0;
      gallery.page.on('response', (response) => {
        const isRenewal = response.request().postData()?.includes('grant_type=refresh_token') === true;
        if (isRenewal && response.ok()) renewals += 1;
      });
      // A token may be over by the time that a busy machine checks it.
      gallery.watch.expectFault(/status of 401/);
      // What outages say moves the tray and the buttons beside the time of the next attempt.
      gallery.watch.expectFault(/^layout shift/);
      await gallery.signIn();
    });

    afterEach(async () => {
      await gallery?.close();
      await servers?.stop();
    });

    it('the token is renewed meanwhile', async () => {
      await uploadUntil(() => renewals >= 2);

      await expectAllUploaded();
      gallery.watch.expectCalm('renewals');
    });

    it('they wait while the identity provider is unavailable', async () => {
      gallery.watch.expectFault(/net::ERR_CONNECTION_REFUSED \(http:\S+\/oauth\/token\)/);

      await suspendProviderUntil(async () => true);

      await expectAllUploaded();
      gallery.watch.expectCalm('an outage of the identity provider');
    });

    it('they resume when the service has been restarted', async () => {
      gallery.watch.expectFault(/net::ERR_/);

      await restartServiceAmidUploads();

      await expectAllUploaded();
      await gallery.expectPicturesLoaded();
      gallery.watch.expectCalm('a restart');
    });

    if (MINUTES > 0) {
      it(`all of it happens in ${MINUTES} minutes of uploads`, async function () {
        this.timeout((MINUTES + 2) * MINUTE_MS);
        gallery.watch.expectFault(/net::ERR_/);
        const start = performance.now();
        const passed = (share: number) => (): boolean =>
          performance.now() - start > share * MINUTES * MINUTE_MS;

        await uploadUntil(passed(1 / 3));
        const suspended = performance.now();
        await suspendProviderUntil(() => performance.now() - suspended > MINUTE_MS);
        await uploadUntil(passed(2 / 3));
        await restartServiceAmidUploads();
        await uploadUntil(passed(1));

        await expectAllUploaded();
        expect(renewals).to.be.at.least(MINUTES);
        gallery.watch.expectCalm('all outages');
      });
    }

    async function choose(count: number): Promise<void> {
      await gallery.upload(await makePictures(count, chosen));
      chosen += count;
    }

    async function uploadBatch(): Promise<void> {
      await choose(BATCH);
      await gallery.expectUploads(`${chosen} uploaded`, RECOVERED_WITHIN_MS);
    }

    async function uploadUntil(isOver: () => boolean): Promise<void> {
      while (!isOver()) await uploadBatch();
    }

    async function suspendProviderUntil(isOver: () => boolean | Promise<boolean>): Promise<void> {
      await servers.provider.suspend();
      const hint = gallery.banner('the identity provider cannot be reached');
      // Until the token is over, uploads go on.
      while (!(await hint.isVisible())) {
        await choose(BATCH);
        await eventually(
          async () => (await hint.isVisible()) || (await gallery.uploadsSay(`${chosen} uploaded`)),
          Boolean,
        );
      }
      await eventually(isOver, Boolean, 2 * MINUTE_MS);
      expect(await hint.isVisible()).to.equal(true);

      await servers.provider.resume();

      await gallery.expectUploads(`${chosen} uploaded`, RECOVERED_WITHIN_MS);
      await gone(hint);
    }

    async function restartServiceAmidUploads(): Promise<void> {
      const before = (await catalog.list()).length;
      await choose(MANY);
      await eventually(
        async () => (await catalog.list()).length,
        (count) => count >= before + 5,
      );
      await servers.stopService('SIGKILL');
      await gallery.uploads.getByText('The catalog cannot be reached.').waitFor();
      expect(await gallery.uploadsSay(`${chosen} uploaded`), 'all were uploaded already').to.equal(false);

      await servers.startService();

      await gallery.expectUploads(`${chosen} uploaded`, RECOVERED_WITHIN_MS);
      await gone(gallery.banner('The catalog cannot be reached.'));
    }

    /** Each exactly once, and the person is still signed in. */
    async function expectAllUploaded(): Promise<void> {
      const images = await catalog.list();
      expect(images).to.have.length(chosen);
      expect(new Set(images.map(({ sha256 }) => sha256))).to.have.length(chosen);
      expect(await gallery.signInButton.count()).to.equal(0);
    }
  });
}

async function gone(locator: Locator): Promise<void> {
  await locator.waitFor({ state: 'hidden', timeout: RECOVERED_WITHIN_MS });
}
