import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { FIREFOX, launchFirefox } from '../support/firefox.ts';
import { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';

const PICTURES = 3;

describe('the gallery in Firefox', function () {
  let browser: Browser | undefined;
  let servers: GalleryServers | undefined;

  before(async function () {
    if (!existsSync(FIREFOX)) skipAloud(this, `there is no ${FIREFOX}`);
    browser = await launchFirefox();
    servers = await GalleryServers.start();
    await servers.upload(await makePictures(PICTURES));
  });

  after(async () => {
    await browser?.close();
    await servers?.stop();
  });

  it('signs in, shows pictures, opens one, and takes an upload', async () => {
    if (browser === undefined || servers === undefined) throw new Error('Firefox does not run');
    const gallery = await GalleryPage.open(browser, servers.url);
    // For Firefox, `default-src` of the policy refuses to prefetch the pictures' code: it comes when it is needed.
    gallery.watch.expectFault(/default-src/);
    await gallery.signIn();
    await gallery.expectPictures(PICTURES);
    await gallery.picture(0).getByRole('img').waitFor();
    await gallery.expectPicturesLoaded();

    await gallery.picture(0).click();
    await gallery.expectViewer('cat-001.jpg');
    await gallery.press('ArrowRight');
    await gallery.expectViewer('cat-002.jpg');
    await gallery.showPanel();
    // Not `fill`: by this protocol React does not see the text.
    await gallery.titleField.click();
    await gallery.type('Seen in Firefox');
    await gallery.press('Enter');
    await gallery.viewer('Seen in Firefox').waitFor();
    await gallery.press('Escape');

    await gallery.upload(await makePictures(1, PICTURES));
    await gallery.expectUploads('1 uploaded');
    await gallery.expectPictures(PICTURES + 1);
    await gallery.expectPicturesLoaded();
    expect(await gallery.nameOf(gallery.picture(1))).to.contain('Seen in Firefox');
    gallery.watch.expectCalm('the gallery in Firefox');
  });
});
