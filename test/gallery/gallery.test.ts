import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipAloud } from '../support/doubles/faulty-storage.ts';
import { describeApiReference } from './api-reference.scenario.ts';
import { Keyboard } from './keyboard.ts';
import { describeMainJob } from './main-job.scenario.ts';
import { Mouse } from './mouse.ts';
import { describeOutages } from './outages.scenario.ts';
import { describePageWatch } from './page-watch.scenario.ts';
import { describeSigningIn } from './signing-in.scenario.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('the gallery in Chromium', function () {
  this.timeout(60_000);

  let browser: Browser | undefined;

  before(async function () {
    if (!existsSync(CHROMIUM)) skipAloud(this, `There is no ${CHROMIUM}`);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });

  after(async () => {
    await browser?.close();
  });

  /** One browser for all scenarios: it is there when their hooks run. */
  function runningBrowser(): Browser {
    if (browser === undefined) throw new Error('The browser does not run yet');
    return browser;
  }

  describePageWatch(runningBrowser);
  describeSigningIn(runningBrowser);
  describeMainJob(runningBrowser, {
    device: 'mouse',
    handsFor: (gallery) => new Mouse(gallery),
    isThorough: true,
  });
  describeMainJob(runningBrowser, {
    device: 'keyboard',
    handsFor: (gallery) => new Keyboard(gallery),
    isThorough: false,
  });
  describeApiReference(runningBrowser);
  describeOutages(runningBrowser);
});
