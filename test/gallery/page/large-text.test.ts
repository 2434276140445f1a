import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, load, signIn } from '../support/visits.ts';

const PICTURES = 80;
const ENLARGE_TEXT = `document.documentElement.style.fontSize = '32px'`;

describeVisits('twice the size of text', { pictures: () => makePictures(PICTURES, 0, 20) }, () => {
  beforeEach(() => signIn());

  it('years of the timeline are not cut', async () => {
    await gallery.page.evaluate(ENLARGE_TEXT);
    await gallery.page.setViewportSize({ width: 1281, height: 800 });
    await gallery.page.locator('.scrubber-year').first().waitFor();

    const cut = await gallery.page
      .locator('.scrubber-year')
      .evaluateAll(
        (years) =>
          years.filter((year) => year.scrollWidth > year.clientWidth || year.getBoundingClientRect().left < 0)
            .length,
      );
    expect(cut).to.equal(0);
  });

  it('months stay above their pictures when text becomes larger', async () => {
    await gallery.page.setViewportSize({ width: 390, height: 844 });
    await gallery.page.locator('.grid-heading').first().waitFor();
    await gallery.page.evaluate(ENLARGE_TEXT);

    const space = await eventually(
      () => gallery.page.evaluate<number>(SPACE_BELOW_MONTH),
      (pixels) => pixels >= 0,
    );
    expect(space).to.be.at.least(0);
  });

  it('controls do not leave the screen of a phone', async () => {
    await gallery.page.setViewportSize({ width: 390, height: 844 });
    await gallery.page.evaluate(ENLARGE_TEXT);
    expect(await gallery.page.evaluate(CUT_CONTROLS), 'the pictures').to.deep.equal([]);

    await load('?view=tags');
    await gallery.page.locator('.tags-page-order').waitFor();
    await gallery.page.evaluate(ENLARGE_TEXT);
    expect(await gallery.page.evaluate(CUT_CONTROLS), 'the tags').to.deep.equal([]);
  });

  it('the place of an open picture is read whole on a phone', async () => {
    await gallery.page.setViewportSize({ width: 390, height: 844 });
    await gallery.page.evaluate(ENLARGE_TEXT);
    await gallery.picture(1).click();
    const place = gallery.page.getByText(`2 of ${PICTURES}`, { exact: true });
    await place.waitFor();

    expect(await place.evaluate(IS_CUT)).to.equal(false);
  });

  it('four compared pictures do not lie upon each other', async () => {
    await gallery.page.setViewportSize({ width: 390, height: 844 });
    await load('?compare=1,2,3,4');
    await gallery.page.locator('.compare-known').nth(3).waitFor();
    await gallery.page.evaluate(ENLARGE_TEXT);

    const cut = await gallery.page
      .locator('.compare-pane')
      .evaluateAll((panes) => panes.filter((pane) => pane.scrollHeight > pane.clientHeight + 1).length);
    expect(cut).to.equal(0);
  });
});

const IS_CUT = (element: Element): boolean => element.scrollWidth > element.clientWidth;

/** From the text of the first month to the first picture. */
const SPACE_BELOW_MONTH = `document.querySelector('.grid-cell').getBoundingClientRect().top -
  document.querySelector('.grid-heading-text').getBoundingClientRect().bottom`;

/** What leaves the screen, or lies below the name in the header. */
const CUT_CONTROLS = `(() => {
  const name = document.querySelector('.header-name').getBoundingClientRect();
  const search = document.querySelector('.header-search-open').getBoundingClientRect();
  const overlaps = name.top < search.bottom && name.right > search.left;
  const controls = [...document.querySelectorAll('.view-bar button, .view-bar select, .tags-page-controls > *')];
  const outside = controls.filter((control) => control.getBoundingClientRect().right > document.body.clientWidth);
  return [...outside.map(({ className }) => className), ...(overlaps ? ['header-name'] : [])];
})()`;
