import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, signIn } from '../support/visits.ts';

const MONTHS = ['November 2025', 'October 2025', 'September 2025', 'August 2025', 'July 2025', 'June 2025'];
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeVisits('months with one picture each', { pictures: () => makePictures(MONTHS.length, 0, 30) }, () => {
  for (const [device, perRow, options] of [
    ['a desktop', 4, {}],
    ['a phone', 2, PHONE],
  ] as const) {
    it(`share rows on ${device}, each heading above its own picture`, async () => {
      const opened = await signIn(options);

      for (const [index, name] of MONTHS.entries()) {
        const [heading, box] = [await placeOf(opened.month(name)), await placeOf(opened.picture(index))];
        expect(heading.x).to.be.closeTo(box.x, 1);
        expect(box.y - heading.y).to.be.within(24, 60);
        const left = await placeOf(opened.picture(index - (index % perRow)));
        expect(box.y, `${name} is in its row`).to.equal(left.y);
        if (index % perRow > 0) {
          const before = await placeOf(opened.month(MONTHS[index - 1] ?? ''));
          expect(before.x + before.width, `${name} is free`).to.be.below(heading.x);
        }
      }
    });
  }

  it('are walked by arrows from row to row, and selected one by one', async () => {
    const opened = await signIn();
    await opened.tabTo(opened.currentPicture);

    await opened.press('ArrowRight');
    await opened.press('ArrowDown');
    expect(await opened.nameOf(opened.currentPicture)).to.equal(await opened.nameOf(opened.picture(5)));
    await opened.press('ArrowUp');
    expect(await opened.nameOf(opened.currentPicture)).to.equal(await opened.nameOf(opened.picture(1)));

    await opened.page.getByRole('checkbox', { name: 'October 2025' }).click();
    await opened.selection.getByText('1 selected').waitFor();
    expect(await opened.picture(1).getAttribute('aria-selected')).to.equal('true');
  });
});

async function placeOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} is not drawn`);
  return box;
}
