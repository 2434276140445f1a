import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/**
 * Scenarios of a file, which share a browser. They are pending where there is no Chromium.
 *
 * @param define gets the browser, which runs from the first hook on
 */
export function describeInChromium(title: string, define: (browser: () => Browser) => void): void {
  describe(`in Chromium: ${title}`, () => {
    let browser: Browser | undefined;

    before(async function () {
      if (!existsSync(CHROMIUM)) skipAloud(this, `there is no ${CHROMIUM}`);
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox'],
        timeout: HANG_GUARD_MS,
      });
    });

    after(async () => {
      await browser?.close();
    });

    define(() => {
      if (browser === undefined) throw new Error('The browser does not run yet');
      return browser;
    });
  });
}
