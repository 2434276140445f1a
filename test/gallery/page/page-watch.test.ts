import { AssertionError, expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { rejection } from '../../support/fixtures/rejection.ts';
import { eventually } from '../../support/time/eventually.ts';
import { Gate } from '../../support/time/gate.ts';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { describeInChromium, sharedChromium } from '../support/in-chromium.ts';
import { PageWatch } from '../support/page-watch.ts';

const ADDRESS = 'http://watched.example/';
const HTML = '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><p>y</p></main></html>';

const SHIFT = `document.querySelector('h1').style.marginTop = '300px';`;
/** More frames than half a second has. */
const LATER = `(async () => {
  for (let frame = 0; frame < 90; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
})()`;

let context: BrowserContext;
let watch: PageWatch;
let page: Page;

/** The other scenarios are worth as much as the watch notices. */
describeInChromium('the watch of a page', () => {
  beforeEach(async () => {
    context = await (await sharedChromium()).newContext();
    watch = await PageWatch.of(context);
    context.setDefaultTimeout(HANG_GUARD_MS);
    page = await context.newPage();
    await page.route(ADDRESS, (route) =>
      route.fulfill({
        body: HTML,
        contentType: 'text/html',
        headers: { 'content-security-policy': "default-src 'none'; connect-src 'self'" },
      }),
    );
    await page.goto(ADDRESS);
  });

  afterEach(() => context.close());

  it('accepts a page that does nothing', () => {
    watch.expectCalm('the page');
  });

  const faults: readonly [string, string, string][] = [
    [
      'content that the policy refuses',
      `document.body.append(new Image()); document.images[0].src = '/x'`,
      'img-src',
    ],
    ['an error in the console', `console.error('trouble')`, 'trouble'],
    ['an exception', `setTimeout(() => { throw new Error('thrown') })`, 'thrown'],
    ['a rejected promise', `void Promise.reject(new Error('rejected'))`, 'rejected'],
    [
      'a layout shift',
      `(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        ${SHIFT}
      })()`,
      'layout shift of',
    ],
  ];
  for (const [what, code, text] of faults) {
    it(`notices ${what}`, async () => {
      await page.evaluate(code);

      const noticed = await eventually(
        () => messageOf(() => watch.expectCalm('the page')),
        (message) => message !== undefined,
      );
      expect(noticed).to.include(text, noticed);
    });
  }

  layoutShifts();

  it('forgives a fault that the scenario expects', async () => {
    watch.expectFault(/trouble/);
    const [message] = await Promise.all([
      page.waitForEvent('console'),
      page.evaluate(`console.error('trouble')`),
    ]);
    expect(message.text()).to.equal('trouble');

    watch.expectCalm('the page');
  });

  it('runs axe on pages with a strict policy', async () => {
    await expectAccessible(page, 'the page');

    await page.evaluate(`document.querySelector('main').append(document.createElement('button'))`);
    const { message } = await rejection(expectAccessible(page, 'the page'));
    expect(message).to.include('axe on the page');
  });
});

function layoutShifts(): void {
  /** Moves the page after a response that comes long after an input, whose listener has asked for it. */
  async function shiftBehind(path: string): Promise<void> {
    const held = new Gate();
    await page.route(`**${path}`, async (route) => {
      await held.opened;
      await route.fulfill({ body: 'x' });
    });
    const respond = `fetch('${path}').then((response) => response.text()).then(() => { ${SHIFT} })`;
    await page.evaluate(`addEventListener('keydown', () => ${respond})`);
    await page.keyboard.press('a');
    await page.evaluate(LATER);
    held.open();
    await page.locator('h1[style]').waitFor();
    await page.evaluate(LATER);
  }

  it('forgives a layout shift that an input leads to, however late the response comes', async () => {
    await shiftBehind('/slow');

    watch.expectCalm('the page');
  });

  for (const path of ['/api/upload', '/api/changes?wait=1']) {
    it(`notices a layout shift behind ${path}`, async () => {
      await shiftBehind(path);

      const noticed = await eventually(
        () => messageOf(() => watch.expectCalm('the page')),
        (message) => message !== undefined,
      );
      expect(noticed).to.include('layout shift of');
    });
  }

  it('notices a layout shift long after an input', async () => {
    await page.keyboard.press('a');
    await page.evaluate(LATER);

    await page.evaluate(SHIFT);

    const noticed = await eventually(
      () => messageOf(() => watch.expectCalm('the page')),
      (message) => message !== undefined,
    );
    expect(noticed).to.include('layout shift of');
  });
}

function messageOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof AssertionError ? JSON.stringify(error.toJSON()) : String(error);
  }
}
