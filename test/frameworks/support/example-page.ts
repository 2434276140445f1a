import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../../support/time/eventually.ts';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 };

/** A page with a context, and so a cache, of its own. */
export async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(HANG_GUARD_MS);
  return await context.newPage();
}

/** At the demo's provider, from a page with a button. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as Demo' }).click();
}

/** oidc-client-ts keeps the user in the session storage, with the time of expiry in seconds. */
export async function expireToken(page: Page): Promise<void> {
  await page.evaluate(`for (const [key, text] of Object.entries(sessionStorage)) {
    if (key.startsWith('oidc.user:')) sessionStorage[key] = JSON.stringify({ ...JSON.parse(text), expires_at: 1 });
  }`);
}

export async function publish(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Picture').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Publish' }).click();
}

export interface Shown {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** The file that the browser has chosen for a public name, once it shows it. */
export async function shownIn(image: Locator): Promise<Shown> {
  const source = await eventually(
    async () =>
      await image.evaluate((shown: { complete: boolean; currentSrc: string }) =>
        shown.complete ? shown.currentSrc : '',
      ),
    (address) => address.includes('/p/'),
  );
  const response = await fetch(source, { headers: { Accept: 'image/webp' } });
  if (!response.ok) throw new Error(`${source} has the status ${response.status}: ${await response.text()}`);
  const { width, height } = await sharp(await response.arrayBuffer()).metadata();
  return { path: new URL(source).pathname, width, height };
}
