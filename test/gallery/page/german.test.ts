import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { arrive, begin, describeVisits, gallery, load, open } from '../support/visits.ts';

const GERMAN = { locale: 'de-DE' };
const PICTURES = 12;
/** Buttons have 44 pixels. */
const TWO_ROWS = 80;

describeVisits('the gallery in German', {}, () => {
  let page: Page;

  const account = (): Locator => page.getByRole('button', { name: 'Konto und Einstellungen' });

  async function signIn(): Promise<void> {
    ({ page } = await arrive(GERMAN));
    await load();
    await account().waitFor();
  }

  it('is what a browser gets that prefers it, from one more file', async () => {
    ({ page } = await begin(GERMAN));
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await load();
    await page.getByRole('heading', { name: 'Anmelden, um die Bilder zu sehen' }).waitFor();

    expect(await page.evaluate('[document.documentElement.lang, document.title]')).to.deep.equal([
      'de',
      'Katalog',
    ]);
    expect(scripts.filter((path) => path.includes('german'))).to.have.length(1);
    await expectAccessible(page, 'signed out in German');
    gallery.watch.expectCalm('signed out');
    await takeScreenshots(page, 'german-signed-out');
  });

  it('gives way to English if its file cannot be loaded', async () => {
    ({ page } = await begin(GERMAN));
    await page.route(/\/assets\/german-/, (route) => route.abort());
    await load();

    await gallery.signInButton.waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('en');
  });

  it('is drawn in English after 3 s without its file, and in German when the file comes', async () => {
    ({ page } = await begin(GERMAN));
    const held: Route[] = [];
    await page.route(/\/assets\/german-/, (route) => void held.push(route));
    await load();
    await gallery.signInButton.waitFor();

    for (const route of held) await route.continue();

    await page.getByRole('heading', { name: 'Anmelden, um die Bilder zu sehen' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
  });

  it('uploads, finds, describes and deletes', async () => {
    ({ page } = await open(GERMAN));
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await gallery.personButton.click();
    await page.getByRole('heading', { name: 'Noch keine Bilder' }).waitFor();
    await takeScreenshots(page, 'german-empty');
    const upload = page.getByRole('button', { name: 'Bilder hochladen', exact: true });
    await gallery.choose(await makePictures(PICTURES), () => upload.click());
    await page.getByRole('heading', { name: `${PICTURES} hochgeladen` }).waitFor();
    await takeScreenshots(page, 'german-uploads');
    await page.getByRole('button', { name: 'Uploads schließen' }).click();
    await expectAccessible(page, 'the grid in German');
    await takeScreenshots(page, 'german-grid');

    await page.getByRole('combobox', { name: 'Suche' }).fill('letztes jahr');
    await page.getByRole('option', { name: 'Letztes Jahr' }).waitFor();
    await takeScreenshots(page, 'german-search');
    await page.getByRole('option', { name: 'Letztes Jahr' }).click();
    await page.getByText(`${PICTURES} Bilder`).first().waitFor();
    await takeScreenshots(page, 'german-filter');

    await page.getByRole('listbox', { name: 'Bilder' }).getByRole('option').first().click();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await page.getByRole('complementary', { name: 'Details' }).getByText('Hinzugefügt am').waitFor();
    await expectAccessible(page, 'a picture in German');
    await takeScreenshots(page, 'german-picture');
    await page.getByRole('button', { name: 'Löschen', exact: true }).click();
    await page.getByText('Bild gelöscht').first().waitFor();
    await takeScreenshots(page, 'german-deleted');
  });

  it('gives way to English in the menu of the account, which is remembered', async () => {
    await signIn();
    await account().click();
    await takeScreenshots(page, 'german-account');
    await page.getByText('English', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await expectSoon(() => page.evaluate('document.documentElement.lang'), 'en');
    await gallery.press('Escape');
    await page.reload();
    await gallery.searchField.waitFor();

    await gallery.accountButton.click();
    await page.getByText('Deutsch', { exact: true }).click();
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    gallery.watch.expectCalm('another language');
  });

  it('names the keys and the ways to change many pictures', async () => {
    await signIn();
    await gallery.press('?');
    await page.getByRole('heading', { name: 'Tastenkürzel' }).waitFor();
    await takeScreenshots(page, 'german-keys');
    await gallery.press('Escape');
    await page.getByRole('listbox', { name: 'Bilder' }).getByRole('option').first().focus();
    await gallery.press('Space');
    await page.getByRole('toolbar', { name: 'Ausgewählte Bilder' }).getByText('1 ausgewählt').waitFor();
    await expectAccessible(page, 'a selection in German');
    await expectOneRow(page.getByRole('toolbar', { name: 'Ausgewählte Bilder' }));
    await takeScreenshots(page, 'german-selection');
    await gallery.press('t');
    await page.getByRole('dialog', { name: 'Schlagwörter von 1 Bild' }).waitFor();
    await takeScreenshots(page, 'german-tags');
  });
});

/** German words are longer: the narrowest of the widths at which the page changes have room for all buttons. */
async function expectOneRow(bar: Locator): Promise<void> {
  for (const width of [360, 640, 1024, 1280]) {
    await bar.page().setViewportSize({ width, height: 800 });
    const height = await eventually(
      async () => (await bar.boundingBox())?.height ?? TWO_ROWS,
      (pixels) => pixels < TWO_ROWS,
    );
    expect(height, `height at ${width} px`).to.be.below(TWO_ROWS);
  }
}
