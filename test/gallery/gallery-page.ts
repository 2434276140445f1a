import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
import type { PickedFile } from './gallery-pictures.ts';
import { PageWatch } from './page-watch.ts';

const DESKTOP = { width: 1280, height: 800 };
/** How many presses of the Tab key reach everything on a page. */
const MOST_TABS = 60;

/** The gallery as a person uses it: everything is found by its role and name. */
export class GalleryPage {
  private constructor(
    readonly page: Page,
    readonly watch: PageWatch,
    private readonly context: BrowserContext,
  ) {}

  /** A new person: no cookies, no session. */
  static async open(browser: Browser, url: string): Promise<GalleryPage> {
    const context = await browser.newContext({ viewport: DESKTOP, acceptDownloads: true, locale: 'en-GB' });
    context.setDefaultTimeout(10_000);
    const watch = await PageWatch.of(context);
    const page = await context.newPage();
    await page.goto(url);
    return new GalleryPage(page, watch, context);
  }

  get signInButton(): Locator {
    return this.page.getByRole('button', { name: 'Sign in', exact: true });
  }

  /** It is there as long as a person is signed in. */
  get title(): Locator {
    return this.page.getByRole('heading', { name: 'Catalog', level: 1 });
  }

  get accountButton(): Locator {
    return this.page.getByRole('button', { name: 'Account and settings' });
  }

  get signOutButton(): Locator {
    return this.page.getByRole('button', { name: 'Sign out' });
  }

  get uploadButton(): Locator {
    return this.page.getByRole('button', { name: /^Upload pictures(:|$)/ });
  }

  get emptyCatalog(): Locator {
    return this.page.getByRole('heading', { name: 'No pictures yet' });
  }

  get uploads(): Locator {
    return this.page.getByRole('region', { name: 'Uploads' });
  }

  /** Waits for the heading of the uploads. */
  async uploadsSay(totals: string, timeoutMs = 30_000): Promise<void> {
    await this.uploads.getByRole('heading', { name: totals, exact: true }).waitFor({ timeout: timeoutMs });
  }

  async uploadsNowSay(totals: string): Promise<boolean> {
    return (await this.uploads.getByRole('heading', { name: totals, exact: true }).count()) > 0;
  }

  /** What keeps the gallery from working, above the pictures. */
  banner(text: string): Locator {
    return this.page.getByRole('status').getByText(text);
  }

  /** The addresses of pictures that could not be loaded. */
  async brokenPictures(): Promise<readonly string[]> {
    return await this.page.evaluate<string[]>(
      `[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src)`,
    );
  }

  uploadRow(name: string): Locator {
    return this.uploads.getByRole('listitem').filter({ hasText: name });
  }

  async signIn(): Promise<void> {
    await this.signInButton.click();
    await this.page.getByRole('button', { name: 'Sign in as Demo' }).click();
    await this.title.waitFor();
  }

  async signOut(): Promise<void> {
    await this.accountButton.click();
    await this.signOutButton.click();
    await this.page.waitForURL('**/session/end**');
    await this.signOutButton.click();
  }

  async upload(files: readonly PickedFile[]): Promise<void> {
    await this.choose(files, () => this.uploadButton.click());
  }

  /** @param open what makes the browser ask for files */
  async choose(files: readonly PickedFile[], open: () => Promise<void>): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), open()]);
    await chooser.setFiles([...files]);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      if (await hasFocus(target)) return;
      await this.press('Tab');
    }
    throw new Error(`${MOST_TABS} presses of Tab do not reach ${String(target)}`);
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0;
}

/** Waits for a count, and returns the last one for the test to report. */
export async function eventualCount(target: Locator, expected: number): Promise<number> {
  return await eventually(
    () => target.count(),
    (count) => count === expected,
  );
}
