import type { Browser, BrowserContext, FileChooser, Locator, Page } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
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

  get title(): Locator {
    return this.page.getByRole('heading', { name: 'Catalog', level: 1 });
  }

  async signIn(): Promise<void> {
    await this.signInButton.click();
    await this.page.getByRole('button', { name: 'Sign in as Demo' }).click();
    await this.title.waitFor();
  }

  async signInByKeyboard(): Promise<void> {
    await this.tabTo(this.signInButton);
    await this.press('Enter');
    // The provider's page has the focus on its button.
    await this.page.getByRole('button', { name: 'Sign in as Demo' }).waitFor();
    await this.press('Enter');
    await this.title.waitFor();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The provider asks once.
    await this.page.getByRole('button', { name: 'Sign out' }).click();
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

  /** What opens when the action asks for files. */
  async fileChooserAfter(action: () => Promise<void>): Promise<FileChooser> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), action()]);
    return chooser;
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => element === element.ownerDocument.activeElement);
}

/** Waits for a count, and returns the last one for the test to report. */
export async function eventualCount(target: Locator, expected: number): Promise<number> {
  return await eventually(
    () => target.count(),
    (count) => count === expected,
  );
}
