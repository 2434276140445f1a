import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipAloud } from '../../support/doubles/faulty-storage.ts';
import { GalleryServers } from '../gallery-servers.ts';
import { drawLandscapes } from '../landscapes.ts';
import { describeManyPictures, describeTagsPage } from './many.scenario.ts';
import { describeStars } from './star.scenario.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** From three months. */
const PICTURES = 40;

/** What can be done with the pictures of a catalog. Each scenario is a person of its own. */
describe('features of the gallery in Chromium', function () {
  this.timeout(60_000);

  let browser: Browser | undefined;
  let servers: GalleryServers | undefined;

  before(async function () {
    if (!existsSync(CHROMIUM)) skipAloud(this, `There is no ${CHROMIUM}`);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    servers = await GalleryServers.start();
    const catalog = await servers.client();
    for (const { name, buffer } of await drawLandscapes(PICTURES))
      await catalog.upload(new Uint8Array(buffer), name);
  });

  after(async () => {
    await browser?.close();
    await servers?.stop();
  });

  /** They are there when the hooks of the scenarios run. */
  function running(): { readonly browser: Browser; readonly servers: GalleryServers } {
    if (browser === undefined || servers === undefined) throw new Error('The browser does not run yet');
    return { browser, servers };
  }

  describeStars(running);
  describeManyPictures(running);
  describeTagsPage(running);
});
