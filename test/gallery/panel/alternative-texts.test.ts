import { expect } from 'chai';
import { withSegments } from '../../support/fixtures/embedded-chunks.ts';
import { jpegSegment } from '../../support/fixtures/raw-pictures.ts';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import type { GalleryPage } from '../support/gallery-page.ts';
import { makePictures, type PickedFile } from '../support/gallery-pictures.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { describeVisits, gallery, load, other, signIn } from '../support/visits.ts';

const TEXT = 'A tabby asleep on a blue sofa';

const XMP = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
  xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" photoshop:Credit="http://agency.example/"
  xmpRights:WebStatement="https://licence.example/by/4.0"><dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Grace</rdf:li></rdf:Seq></dc:creator
  ></rdf:Description></rdf:RDF>`;

/** The second one has credits in its file. */
async function pictures(): Promise<readonly PickedFile[]> {
  const [first, second] = await makePictures(2);
  if (first === undefined || second === undefined) throw new Error('Two pictures were to be made');
  const packet = jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`));
  return [first, { ...second, buffer: withSegments(second.buffer, [packet]) }];
}

describeVisits('alternative texts', { pictures }, () => {
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
    const isSilent = (alt: string | null): boolean => alt === '';
    expect(await eventually(() => pictureAlt(gallery), isSilent)).to.equal('');
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

  it('stand above the credits of the file, of which an address that begins with https is a link', async () => {
    await gallery.picture(1).click();
    await gallery.button('Details').waitFor();
    await gallery.showPanel();
    await gallery.panel.getByText('Creator Ada, Grace', { exact: true }).waitFor();

    const links = gallery.panel.getByRole('link').filter({ hasText: 'example' });
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).to.deep.equal([
      'https://licence.example/by/4.0',
    ]);
    await gallery.panel.getByText('Credit http://agency.example/', { exact: true }).waitFor();
    await takeScreenshots(gallery.page, 'credits');
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
