import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import type { GalleryPage } from '../support/gallery-page.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { describeVisits, gallery, load, other, signIn } from '../support/visits.ts';

const TEXT = 'A tabby asleep on a blue sofa';

describeVisits('alternative texts', { pictures: () => makePictures(2) }, () => {
  beforeEach(async () => {
    await signIn();
  });

  const field = () => gallery.panel.getByRole('textbox', { name: 'Alternative text' });
  const decorative = () => gallery.panel.getByRole('checkbox', { name: 'Decorative' });

  async function openDetails(): Promise<void> {
    await gallery.picture(0).click();
    await gallery.button('Details').waitFor();
    await gallery.showPanel();
    await field().waitFor();
  }

  async function savedAlt(expected: string | null): Promise<void> {
    const alt = await eventually(
      async () => (await shownRecord()).alt,
      (found) => found === expected,
    );
    expect(alt).to.equal(expected);
  }

  async function shownRecord(): ReturnType<typeof other.get> {
    return await other.get(Number(new URL(gallery.page.url()).searchParams.get('image')));
  }

  it('are written below the title, and are what screen readers hear of the open picture and in the list', async () => {
    await openDetails();
    await gallery.panel.getByText('Characters left: 500', { exact: true }).waitFor();
    await field().fill(TEXT);
    await gallery.panel.getByText('Characters left: 471', { exact: true }).waitFor();
    await expectAccessible(gallery.page, 'an alternative text');
    await takeScreenshots(gallery.page, 'alternative-text');
    await gallery.press('Enter');

    await savedAlt(TEXT);
    await gallery.page.getByRole('dialog').getByRole('img', { name: TEXT, exact: true }).waitFor();
    await gallery.press('Escape');
    await gallery.pictures.getByRole('option', { name: TEXT, exact: true }).waitFor();
    gallery.watch.expectCalm('writing an alternative text');
  });

  it('may be none, because the picture is decorative', async () => {
    await openDetails();
    await field().fill('');
    await gallery.press('Enter');
    await savedAlt(null);
    await decorative().check();

    await savedAlt('');
    await gallery.panel.getByPlaceholder('Screen readers skip this picture').waitFor();
    expect(await pictureAlt(gallery)).to.equal('');
    await decorative().uncheck();
    await savedAlt(null);
  });

  it('that are too long are refused, and stay in the field', async () => {
    await openDetails();
    gallery.watch.expectFault(/status of 400/);
    await field().fill('x'.repeat(501));
    await gallery.panel.getByText('Characters too many: 1', { exact: true }).waitFor();
    await gallery.press('Enter');

    await gallery.panel.getByText('Not saved: it may have at most 500 characters.').waitFor();
    expect(await field().inputValue()).to.have.length(501);
    await field().focus();
    await gallery.press('Escape');
  });

  it('that are missing are found by a suggestion of the search', async () => {
    await other.edit(1, { alt: TEXT });
    await load();
    await gallery.searchField.fill('without alt');
    await gallery.suggestions.getByRole('option', { name: 'No alternative text' }).click();

    await gallery.expectPictures(1);
    expect(new URL(gallery.page.url()).search).to.equal('?alt=false');
  });
});

async function pictureAlt({ page }: GalleryPage): Promise<string | null> {
  return await page.locator('.viewer-slide[data-offset="0"] img').getAttribute('alt');
}
