import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { Gate } from '../../support/time/gate.ts';
import { LONG_TEST_MS } from '../../support/time/hang-guard.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, open, servers, startServers } from '../support/visits.ts';

/** The gallery renews a token when 5 s of it are left. */
const TOKEN_LIFETIME_SECONDS = 7;
const MINUTE_MS = 60_000;
/** Of the long variant; there is none without it. */
const MINUTES = Number(process.env.GALLERY_MINUTES ?? 0);
const BATCH = 10;
/** Uploads under way when the service is killed. */
const MANY = 60;

describeVisits('uploads through outages', undefined, () => {
  let uploads: Uploads;

  beforeEach(async () => {
    uploads = await Uploads.start();
  });

  it('the token is renewed meanwhile', async () => {
    await uploads.continueUntil(() => uploads.renewals >= 2);

    await uploads.expectAllStored();
    gallery.watch.expectCalm('renewals');
  });

  it('they wait while the identity provider is unavailable', async () => {
    gallery.watch.expectFault(/net::ERR_\w+ \(http:\S+\/oauth\/token\)/);

    await uploads.suspendProviderUntil(() => true);

    await uploads.expectAllStored();
    gallery.watch.expectCalm('an outage of the identity provider');
  });

  it('they resume when the service has been restarted', async () => {
    gallery.watch.expectFault(/net::ERR_/);

    await uploads.restartService();

    await uploads.expectAllStored();
    await gallery.expectPicturesLoaded();
    gallery.watch.expectCalm('a restart');
  });

  if (MINUTES > 0) {
    it(`all of it happens in ${MINUTES} minutes of uploads`, async function () {
      this.timeout(LONG_TEST_MS);
      gallery.watch.expectFault(/net::ERR_/);
      const start = performance.now();
      const passed = (share: number) => (): boolean =>
        performance.now() - start > share * MINUTES * MINUTE_MS;

      await uploads.continueUntil(passed(1 / 3));
      const suspended = performance.now();
      await uploads.suspendProviderUntil(() => performance.now() - suspended > MINUTE_MS);
      await uploads.continueUntil(passed(2 / 3));
      await uploads.restartService();
      await uploads.continueUntil(passed(1));

      await uploads.expectAllStored();
      expect(uploads.renewals).to.be.at.least(MINUTES);
      gallery.watch.expectCalm('all outages');
    });
  }
});

/** A person who uploads, with tokens that are soon over. */
class Uploads {
  renewals = 0;
  private chosen = 0;

  private constructor() {}

  static async start(): Promise<Uploads> {
    await startServers({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
    await open();
    const uploads = new Uploads();
    gallery.page.on('response', (response) => {
      const isRenewal = response.request().postData()?.includes('grant_type=refresh_token') === true;
      if (isRenewal && response.ok()) uploads.renewals += 1;
    });
    // A token may be over by the time that a busy machine checks it.
    gallery.watch.expectFault(/status of 401/);
    // What outages say moves the tray and the buttons beside the time of the next attempt.
    gallery.watch.expectFault(/^layout shift/);
    await gallery.signIn();
    return uploads;
  }

  async continueUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.choose(BATCH);
      await this.expectAllUploaded();
    }
  }

  async suspendProviderUntil(isOver: () => boolean): Promise<void> {
    await servers.provider.suspend();
    const hint = gallery.banner('the identity provider cannot be reached');
    // Until the token is over, uploads go on.
    while (!(await hint.isVisible())) {
      await this.choose(BATCH);
      await eventually(async () => (await hint.isVisible()) || (await this.areAllUploaded()), Boolean);
    }
    await eventually(isOver, Boolean);
    expect(await hint.isVisible()).to.equal(true);

    await servers.provider.resume();

    await this.expectAllUploaded();
    await gone(hint);
  }

  /** The service is killed while uploads are under way. */
  async restartService(): Promise<void> {
    const before = (await catalog.list()).length;
    const killed = new Gate();
    let asked = 0;
    await gallery.page.route('**/api/upload', async (route) => {
      asked += 1;
      // Some are left, however late a busy machine kills the service.
      if (asked > MANY / 2) await killed.opened;
      await route.continue();
    });
    await this.choose(MANY);
    await eventually(
      async () => (await catalog.list()).length,
      (count) => count >= before + 5,
    );
    await servers.stopService('SIGKILL');
    killed.open();
    await gallery.uploads.getByText('The catalog cannot be reached.').waitFor();
    expect(await this.areAllUploaded(), 'all were uploaded already').to.equal(false);

    await servers.startService();

    await this.expectAllUploaded();
    await gone(gallery.banner('The catalog cannot be reached.'));
  }

  /** Each exactly once, and the person is still signed in. */
  async expectAllStored(): Promise<void> {
    const images = await catalog.list();
    expect(images).to.have.length(this.chosen);
    expect(new Set(images.map(({ sha256 }) => sha256))).to.have.length(this.chosen);
    expect(await gallery.signInButton.count()).to.equal(0);
  }

  private async choose(count: number): Promise<void> {
    await gallery.upload(await makePictures(count, this.chosen));
    this.chosen += count;
  }

  private async areAllUploaded(): Promise<boolean> {
    return await gallery.uploadsSay(`${this.chosen} uploaded`);
  }

  private async expectAllUploaded(): Promise<void> {
    await gallery.expectUploads(`${this.chosen} uploaded`);
  }
}

async function gone(locator: Locator): Promise<void> {
  await locator.waitFor({ state: 'hidden' });
}
