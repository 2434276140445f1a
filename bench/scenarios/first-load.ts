import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { makePictures } from '../../test/gallery/support/gallery-pictures.ts';
import { GalleryServers } from '../../test/gallery/support/gallery-servers.ts';
import { GalleryMeter } from '../support/gallery-meter.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** More than the first records of a phone. */
const PICTURES = 61;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Milliseconds of one visit, with an empty cache. */
interface FirstLoad {
  readonly firstPaint: number;
  readonly signInButton: number;
  /** From the redirect of the provider. */
  readonly firstPicture: number;
}

/** A person who was never here, at 400 kbit/s and 400 ms a request: until the page says something, can be used, has a picture. */
export const firstLoad: Scenario = {
  name: 'first-load',
  isQuick: false,
  isAvailable: () => existsSync(CHROMIUM),
  run: async (bench) => {
    const servers = await GalleryServers.start();
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      await servers.upload(await makePictures(PICTURES));
      const loads: FirstLoad[] = [];
      while (loads.length < bench.options.rounds) loads.push(await measureLoad(browser, servers.url));
      return resultOf(loads);
    } finally {
      await browser.close();
      await servers.stop();
    }
  },
};

async function measureLoad(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const meter = await GalleryMeter.of(page);
    await meter.slowNetwork();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const signInButton = await page.evaluate<number>('performance.now()');
    const firstPaint = await meter.firstPaintMs();
    const redirected = page.waitForRequest((request) => request.url().startsWith(`${url}?`));
    await meter.signIn();
    const redirectedAt = (await redirected).timing().startTime;
    const fromOpening = await meter.firstPictureMs();
    const openedAt = await page.evaluate<number>('performance.timeOrigin');
    return { firstPaint, signInButton, firstPicture: openedAt + fromOpening - redirectedAt };
  } finally {
    await context.close();
  }
}

function resultOf(loads: readonly FirstLoad[]): Outcome {
  const check = (what: string, key: keyof FirstLoad, target: number): Check => ({
    what,
    measured: median(loads.map((load) => load[key])),
    bound: 'at most',
    target,
    unit: 'ms',
  });
  return {
    checks: [
      check('header and skeleton', 'firstPaint', 2000),
      check('sign-in button', 'signInButton', 4000),
      check('first picture after the redirect of the provider', 'firstPicture', 5000),
    ],
  };
}
