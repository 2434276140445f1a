import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

let launched: Browser | undefined;

/** The browser of all scenarios of this process, with which it ends. They share nothing else: each has contexts of its own. */
export async function sharedChromium(): Promise<Browser> {
  if (launched?.isConnected() !== true) {
    launched = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox'],
      timeout: HANG_GUARD_MS,
    });
  }
  return launched;
}

/** Scenarios that are pending where there is no Chromium. */
export function describeInChromium(title: string, define: () => void): void {
  describe(`in Chromium: ${title}`, () => {
    before(function () {
      if (!existsSync(CHROMIUM)) skipAloud(this, `there is no ${CHROMIUM}`);
    });

    define();
  });
}
