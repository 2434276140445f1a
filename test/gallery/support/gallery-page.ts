import { expect } from 'chai';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  FileChooser,
  Locator,
  Page,
} from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';
import type { PickedFile } from './gallery-pictures.ts';
import { PageWatch } from './page-watch.ts';
import type { SavedSession } from './session-of-person.ts';

/** The corner of a picture that selects it. */
const CHECK_MARK = { x: 16, y: 16 };
const DESKTOP = { width: 1280, height: 800 };
/** How many presses of the Tab key reach everything on a page. */
const MOST_TABS = 60;
/** Then the file dialog is asked for again. */
const CHOOSER_MS = 3000;

/** The gallery as a person sees it: everything is found by its role and name. */
export class GalleryPage {
  private constructor(
    readonly page: Page,
    readonly watch: PageWatch,
    private readonly context: BrowserContext,
  ) {}

  /** A new person: no cookies, no session. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<GalleryPage> {
    const gallery = await GalleryPage.blank(browser, url, options);
    await gallery.page.goto(url);
    return gallery;
  }

  /** The same before the gallery is loaded. */
  static async blank(browser: Browser, url: string, options: BrowserContextOptions): Promise<GalleryPage> {
    const context = await browser.newContext({
      viewport: DESKTOP,
      locale: 'en-GB',
      timezoneId: 'UTC',
      // Animations of the page take their time from the steps of a scenario, and end where they would end.
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(HANG_GUARD_MS);
    const watch = await PageWatch.of(context);
    // Chromium asks the pages of the identity provider for one, which they do not have, once in a profile.
    watch.expectFault(new RegExp(`404 .*\\((?!${new URL(url).origin})\\S*/favicon\\.ico\\)$`));
    const page = await context.newPage();
    // Turns the dialogs for files over to the test from the start: with the first wait for one, a key would be faster.
    page.on('filechooser', () => undefined);
    return new GalleryPage(page, watch, context);
  }

  /** The person is signed in when the gallery is loaded for the first time. */
  async giveSession({ origin, key, value }: SavedSession): Promise<void> {
    const item = `${JSON.stringify(key)}, ${JSON.stringify(value)}`;
    await this.page.addInitScript(
      `if (location.origin === '${origin}' && sessionStorage.length === 0) sessionStorage.setItem(${item})`,
    );
  }

  async close(): Promise<void> {
    // A route that waits for a response must not fail the next test.
    if (!this.page.isClosed()) {
      for (const routed of [this.page, this.context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    }
    await this.context.close();
  }

  // The session

  get signInButton(): Locator {
    return this.button('Sign in');
  }

  /** Of the page of the identity provider. */
  get personButton(): Locator {
    return this.button('Sign in as Demo');
  }

  /** It is there as long as a person is signed in. */
  get title(): Locator {
    return this.page.getByRole('heading', { name: 'Catalog', level: 1 });
  }

  get accountButton(): Locator {
    return this.button('Account and settings');
  }

  /** In the menu of the account, and on the page of the identity provider. */
  get signOutButton(): Locator {
    return this.button('Sign out');
  }

  async signIn(): Promise<void> {
    await this.signInButton.click();
    await this.personButton.click();
    // The page exchanges its code for tokens first.
    await this.accountButton.waitFor();
  }

  /** What keeps the gallery from working, above the pictures. */
  banner(text: string): Locator {
    return this.page.getByRole('status').getByText(text);
  }

  // The pictures

  get pictures(): Locator {
    return this.page.getByRole('listbox', { name: 'Pictures', exact: true });
  }

  /** @param position from 0 */
  picture(position: number): Locator {
    return this.pictures.locator(`[role=option][aria-posinset="${position + 1}"]`);
  }

  /** The one that the Tab key leads to. */
  get currentPicture(): Locator {
    return this.pictures.locator('[role=option][tabindex="0"]');
  }

  get emptyCatalog(): Locator {
    return this.page.getByRole('heading', { name: 'No pictures yet' });
  }

  get nothingFound(): Locator {
    return this.page.getByRole('heading', { name: 'No pictures match' });
  }

  /** @param name as in November 2025 */
  month(name: string): Locator {
    return this.page.getByRole('heading', { name: new RegExp(`^${name}`) });
  }

  async nameOf(picture: Locator): Promise<string | null> {
    return await picture.getAttribute('aria-label');
  }

  /** Waits until the view has this many pictures. */
  async expectPictures(count: number): Promise<void> {
    const seen = await eventually(
      () => this.countPictures(),
      (pictures) => pictures === count,
    );
    expect(seen, 'pictures of the view').to.equal(count);
  }

  /** Waits until every picture in view is there, and not its preview alone. */
  async expectPicturesLoaded(): Promise<void> {
    const waiting = `[...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0)
      .map(({ alt, currentSrc }) => alt + ' ' + currentSrc)`;
    const missing = await eventually(
      () => this.page.evaluate<string[]>(waiting),
      (names) => names.length === 0,
    );
    expect(missing, 'pictures that are not there').to.deep.equal([]);
    expect(await this.page.evaluate('document.images.length')).to.be.greaterThan(0);
  }

  private async countPictures(): Promise<number> {
    const sizes = await this.pictures
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => Number(option.getAttribute('aria-setsize'))));
    return sizes[0] ?? 0;
  }

  // Finding

  get searchField(): Locator {
    return this.page.getByRole('combobox', { name: 'Search' });
  }

  get suggestions(): Locator {
    return this.page.getByRole('listbox', { name: 'Filters' });
  }

  get clearFilters(): Locator {
    return this.button('Clear filters');
  }

  // Uploads

  get uploadButton(): Locator {
    return this.page.getByRole('button', { name: /^Upload pictures(:|$)/ });
  }

  get uploads(): Locator {
    return this.page.getByRole('region', { name: 'Uploads' });
  }

  get closeUploadsButton(): Locator {
    return this.button('Close the uploads');
  }

  uploadRow(name: string): Locator {
    return this.uploads.getByRole('listitem').filter({ hasText: name });
  }

  /** Shows the refused and failed files only. */
  get uploadProblems(): Locator {
    return this.uploads.getByRole('radio', { name: /^Problems/ });
  }

  /** Waits for the heading of the uploads. */
  async expectUploads(totals: string): Promise<void> {
    await this.uploads.getByRole('heading', { name: totals, exact: true }).waitFor();
  }

  async uploadsSay(totals: string): Promise<boolean> {
    return (await this.uploads.getByRole('heading', { name: totals, exact: true }).count()) > 0;
  }

  async upload(files: readonly PickedFile[]): Promise<void> {
    await this.choose(files, () => this.uploadButton.click());
  }

  /** @param open what makes the browser ask for files */
  async choose(files: readonly PickedFile[], open: () => Promise<void>): Promise<void> {
    const chooser = await eventually(
      () => this.chooserAfter(open),
      (opened) => opened !== undefined,
    );
    if (chooser === undefined) throw new Error('The browser does not ask for files');
    await chooser.setFiles([...files]);
  }

  /** Chromium opens none while it closes the last one: no person clicks so soon. */
  private async chooserAfter(open: () => Promise<void>): Promise<FileChooser | undefined> {
    const asked = this.page.waitForEvent('filechooser', { timeout: CHOOSER_MS }).catch(() => undefined);
    await open();
    return await asked;
  }

  // The viewer

  /** Its name is that of the picture. */
  viewer(name: string): Locator {
    return this.page.getByRole('dialog', { name, exact: true });
  }

  /** Its neighbours are there as well, without a text alternative. */
  viewerPicture(name: string): Locator {
    return this.viewer(name).locator('.viewer-picture:not([alt=""])');
  }

  /** Waits until the viewer shows the picture of this name. */
  async expectViewer(name: string): Promise<void> {
    // Its preview is there before its keys.
    await this.button('Details').waitFor();
    const loaded = await eventually(
      async () =>
        (await this.viewerPicture(name).count()) === 1 &&
        (await this.viewerPicture(name).evaluate(
          (image) => (image as HTMLImageElement).complete && (image as HTMLImageElement).naturalWidth > 0,
        )),
      Boolean,
    );
    expect(loaded, `the viewer shows ${name}`).to.equal(true);
  }

  get panel(): Locator {
    return this.page.getByRole('complementary', { name: 'Details' });
  }

  /** It stays as it was for the last picture. */
  async showPanel(): Promise<void> {
    if (!(await this.panel.isVisible())) await this.press('i');
  }

  /** It stays as it was for the last picture. */
  async showForWebsites(): Promise<void> {
    const section = this.panel.locator('details');
    if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
  }

  get titleField(): Locator {
    return this.panel.getByRole('textbox', { name: 'Title' });
  }

  get descriptionField(): Locator {
    return this.panel.getByRole('textbox', { name: 'Description' });
  }

  get tagField(): Locator {
    return this.panel.getByRole('combobox', { name: 'Tags' });
  }

  tagChip(tag: string): Locator {
    return this.panel.getByRole('button', { name: `Remove ${tag}`, exact: true });
  }

  // The selection

  get selection(): Locator {
    return this.page.getByRole('toolbar', { name: 'Selected pictures' });
  }

  /** @param last of a range */
  async select(first: number, last = first): Promise<void> {
    await this.picture(first).click({ position: CHECK_MARK });
    if (last !== first) await this.picture(last).click({ modifiers: ['Shift'] });
  }

  get tagDialog(): Locator {
    return this.page.getByRole('dialog', { name: /^Tags of/ });
  }

  get undoButton(): Locator {
    return this.page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' });
  }

  // What devices do

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** By keyboard. */
  async enter(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.press('Enter');
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
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => element === document.activeElement);
}

/** The page may be drawn anew before the focus is moved. */
export async function expectFocus(target: Locator): Promise<void> {
  const isFocused = await eventually(() => hasFocus(target), Boolean);
  expect(isFocused, `${String(target)} has the focus`).to.equal(true);
}
