import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { describeVisits, gallery, signIn } from '../support/visits.ts';

const PICTURES = 40;
const MONTHS = ['November', 'October', 'September', 'August', 'July', 'June', 'May', 'April', 'March'];

describeVisits('a timeline of short months', { pictures: () => makePictures(PICTURES, 0, 6) }, () => {
  beforeEach(() => signIn());

  it('is walked month by month with the arrow keys of its slider, and back', async () => {
    const slider = gallery.page.getByRole('slider', { name: 'Timeline' });
    await slider.focus();

    const down = await visited('ArrowDown');
    const up = await visited('ArrowUp');

    expect(down.map(monthOf)).to.deep.equal(MONTHS);
    expect(up.map(monthOf)).to.deep.equal(MONTHS.toReversed());

    async function visited(key: string): Promise<readonly string[]> {
      const values = [await value()];
      for (let press = 1; press < MONTHS.length; press += 1) {
        await gallery.press(key);
        const last = values.at(-1);
        values.push(
          await eventually(
            () => value(),
            (text) => text !== last,
          ),
        );
      }
      return values;
    }

    async function value(): Promise<string> {
      return (await slider.getAttribute('aria-valuetext')) ?? '';
    }
  });

  it('is selected as a whole with Ctrl A', async () => {
    await gallery.tabTo(gallery.currentPicture);

    await gallery.press('Control+a');

    await gallery.selection.getByText(`${PICTURES} selected`).waitFor();
  });
});

/** @param value as in May 2025: 4 */
function monthOf(value: string): string {
  return value.split(' ')[0] ?? '';
}
