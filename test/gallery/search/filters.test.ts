import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { exifBlock, withExif } from '../../support/fixtures/exif.ts';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { expectFocus } from '../support/gallery-page.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { catalog, describeVisits, gallery, load, signIn } from '../support/visits.ts';

const TAGS = { make: 0x010f, model: 0x0110, time: 0x9003, lens: 0xa434 };

/** What the camera has written. */
interface Shot {
  readonly model: string;
  readonly lens: string;
  readonly day: number;
}

const CATALOG = {
  pictures: async () => [
    await photo('sofa.jpg', { model: 'Canon EOS R5', lens: 'RF50mm F1.2L USM', day: 4 }),
    await photo('garden.jpg', { model: 'Canon EOS R5', lens: 'RF24mm F1.8', day: 3 }),
    await photo('window.jpg', { model: 'NIKON Z 6', lens: 'NIKKOR Z 50mm f/1.8 S', day: 2 }),
    { name: 'scan.jpg', buffer: await pixels(1) },
  ],
};

describeVisits('filters by camera, and by what is missing', CATALOG, () => {
  before(async () => {
    await catalog.patch(2, { tags: ['green'] });
  });

  beforeEach(() => signIn());

  async function openDetails(name: string, label: string | RegExp = name): Promise<void> {
    await gallery.pictures.getByRole('option', { name: label }).click();
    await gallery.expectViewer(name);
    await gallery.showPanel();
    await gallery.panel.getByRole('heading', { name: 'Download' }).waitFor();
  }

  it('a click on the camera and on the lens in the details add up, and go with their chips', async () => {
    await openDetails('sofa.jpg', /^Picture of 4 /);
    await expectAccessible(gallery.page, 'a camera in the details');
    await gallery.panel.getByRole('button', { name: 'Canon EOS R5' }).click();
    await gallery.expectPictures(2);
    await expectFocus(gallery.page.locator('#result-count'));

    await openDetails('sofa.jpg', /^Picture of 4 /);
    await gallery.panel.getByRole('button', { name: 'RF50mm F1.2L USM' }).click();
    await gallery.expectPictures(1);
    expect(new URL(gallery.page.url()).search).to.equal('?camera=Canon+EOS+R5&lens=RF50mm+F1.2L+USM');
    await expectAccessible(gallery.page, 'filters by camera and lens');
    await takeScreenshots(gallery.page, 'filters-camera');

    await chip('Camera: Canon EOS R5').focus();
    await gallery.press('Delete');
    await expectFocus(chip('Lens: RF50mm F1.2L USM'));
    await gallery.press('Delete');
    await gallery.expectPictures(4);
    gallery.watch.forget();
  });

  it('pictures without tags and without dates are suggested where tags and dates are', async () => {
    await gallery.searchField.click();
    await gallery.suggestions.getByRole('option', { name: 'Untagged' }).click();
    await gallery.expectPictures(3);
    await gallery.searchField.fill('undat');
    await gallery.suggestions.getByRole('option', { name: 'Undated' }).click();
    await gallery.expectPictures(1);
    await gallery.page.reload();

    await gallery.expectPictures(1);
    expect(await gallery.nameOf(gallery.picture(0))).to.equal('Picture');
    await chip('Untagged').click();
    await chip('Undated').click();
    await gallery.expectPictures(4);
  });

  suggestedFilters();

  it('the page of tags leads to pictures without any', async () => {
    await load('?view=tags');
    await gallery.page.getByRole('link', { name: 'Untagged pictures' }).click();

    await gallery.expectPictures(3);
  });

  it('the details say who has uploaded a picture, and lead to all pictures of that person', async () => {
    await openDetails('scan.jpg', /^Picture$/);

    await gallery.panel.getByRole('button', { name: 'Uploaded by demo' }).click();
    await gallery.expectPictures(4);
    await expectFocus(gallery.page.locator('#result-count'));
    expect(new URL(gallery.page.url()).search).to.equal('?createdBy=demo');
    await load('?createdBy=somebody');
    await gallery.nothingFound.waitFor();
    await chip('Uploaded by somebody').click();
    await gallery.expectPictures(4);
  });
});

function chip(label: string): Locator {
  return gallery.page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: `Remove ${label}` });
}

function suggestedFilters(): void {
  /** What is in the grid when the view is read anew. */
  async function shownAfterReload(): Promise<readonly string[]> {
    await gallery.page.reload();
    await gallery.picture(0).or(gallery.nothingFound).first().waitFor();
    return await namesInGrid();
  }

  async function namesInGrid(): Promise<readonly string[]> {
    return await gallery.pictures
      .getByRole('option')
      .evaluateAll((pictures) => pictures.map((picture) => picture.getAttribute('aria-label') ?? ''));
  }

  async function expectHeadings(...texts: readonly string[]): Promise<void> {
    const headings = gallery.page.locator('.grid-heading-text');
    const seen = await eventually(
      () => headings.allTextContents(),
      (found) => found.join() === texts.join(),
    );
    expect(seen).to.deep.equal(texts);
  }

  it('Enter on the text of a suggestion finds what the suggestion shows', async () => {
    await gallery.searchField.click();
    const labels = gallery.suggestions.locator('.option-text');
    for (const text of ['green', 'Undated', 'November 2025', 'JPEG', 'PNG']) {
      await labels.filter({ hasText: text }).first().waitFor();
    }
    for (const text of [...(await labels.allTextContents()), 'camera nikon', 'lens 50mm', 'november']) {
      await load();
      await gallery.searchField.fill(text);
      // Not the first one of those that were there for no text.
      const suggestion = gallery.suggestions
        .getByRole('option')
        .filter({ hasText: text.split(' ').at(-1) ?? '' });
      await suggestion.first().click();
      const expected = await shownAfterReload();

      await load();
      await gallery.searchField.fill(text);
      await suggestion.first().waitFor();
      await gallery.press('Enter');
      const found = await eventually(namesInGrid, (names) => names.join() === expected.join());
      expect(found, text).to.deep.equal(expected);
    }
  });

  it('what words can mean that no picture has is offered in the place of the pictures', async () => {
    await gallery.searchField.fill('2025');
    await gallery.suggestions.getByRole('option', { name: 'November 2025' }).waitFor();
    await gallery.press('Enter');
    await gallery.nothingFound.waitFor();
    await gallery.page.getByRole('button', { name: 'November 2025' }).waitFor();
    await expectAccessible(gallery.page, 'no pictures match');
    gallery.watch.expectCalm('other readings');
    await takeScreenshots(gallery.page, 'no-matches');
    await gallery.page.getByRole('button', { name: 'November 2025' }).click();

    await gallery.expectPictures(3);
  });

  it('a month has as many pictures as the search finds in it, and those without a date are behind all months', async () => {
    await expectHeadings('November 2025 3', 'Undated 1');
    await takeScreenshots(gallery.page, 'undated');
    await gallery.searchField.fill('november 2025');
    await gallery.suggestions.getByRole('option', { name: 'November 2025' }).click();
    await gallery.expectPictures(3);
    await chip('November 2025').click();
    await gallery.expectPictures(4);

    // The order is that of the whole list when its last group is there.
    await expectHeadings('November 2025 3', 'Undated 1');
    await gallery.select(0);
    await gallery.selection.getByText('1 selected').waitFor();
    await gallery.press('Delete');
    await gallery.undoButton.waitFor();
    await expectHeadings('November 2025 2', 'Undated 1');
    await gallery.undoButton.click();
    await gallery.expectPictures(4);
    await expectHeadings('November 2025 3', 'Undated 1');
    gallery.watch.forget();
  });
}

async function photo(name: string, { model, lens, day }: Shot): Promise<{ name: string; buffer: Buffer }> {
  const exif = exifBlock({
    image: { [TAGS.make]: model.split(' ')[0] ?? '', [TAGS.model]: model },
    photo: { [TAGS.time]: `2025:11:0${day} 12:00:00`, [TAGS.lens]: lens },
  });
  return { name, buffer: withExif(await pixels(day), exif) };
}

async function pixels(shade: number): Promise<Buffer> {
  const background = { r: 40 * shade, g: 200 - 30 * shade, b: 120 };
  return await sharp({ create: { width: 480, height: 320, channels: 3, background } })
    .jpeg()
    .toBuffer();
}
