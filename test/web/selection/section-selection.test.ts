import { expect } from 'chai';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { coverOf, rangeOf } from '../../../web/src/selection/section-range.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';

describe('the selection of a month', () => {
  const pages = new FakeImagePages(daysOf(100, () => 100));
  let list: PagedImages;
  let notices: Notices;
  let selection: Selection;

  beforeEach(async () => {
    list = new PagedImages(pages, { query: { sort: 'taken', order: 'desc' } });
    await list.refresh();
    notices = new Notices();
    selection = new Selection(notices);
  });

  it('has all of its pictures, loaded or not, beside what was selected', async () => {
    const month = range(1);
    selection.toggle(pages.idAt(0));
    await selection.addRange(list, month.first, month.last);

    expect(selection.ids.get().size).to.equal(month.last - month.first + 2);
    expect(coverOf(list, month, selection.ids.get())).to.equal('all');
  });

  it('says how much of a month is selected', async () => {
    const month = range(0);
    expect(coverOf(list, month, new Set())).to.equal('none');
    expect(coverOf(list, month, new Set([pages.idAt(month.last + 1)]))).to.equal('none');
    expect(coverOf(list, month, new Set([pages.idAt(month.first)]))).to.equal('some');
    expect(coverOf(list, month, new Set([pages.idAt(month.first + 1)]))).to.equal('some');
  });

  it('follows pictures that are hidden', () => {
    const before = range(0);
    list.hide([pages.idAt(0)]);

    expect(range(0)).to.deep.equal({ first: 0, last: before.last - 1 });
    expect(range(1).first).to.equal(before.last);
  });

  it('is refused if it would be too many, and changes nothing', async () => {
    const [first, second] = [range(0), range(1)];
    await selection.addRange(list, first.first, second.last - 1200);
    const { size } = selection.ids.get();

    await selection.addRange(list, 0, 5000);
    await selection.addRange(list, 4000, 8999);
    expect(notices.shown.get().map(({ text }) => text)).to.deep.equal([
      'At most 5,000 pictures can be selected at a time.',
    ]);
    expect(selection.ids.get().size).to.equal(size);
  });

  it('ends with what is removed from it', async () => {
    await selection.addRange(list, 0, 2);
    selection.remove([pages.idAt(1), 12_345]);

    expect([...selection.ids.get()]).to.deep.equal([pages.idAt(0), pages.idAt(2)]);
  });

  function range(section: number): { readonly first: number; readonly last: number } {
    const found = rangeOf(list, section);
    if (found === undefined) throw new Error(`There is no section ${section}`);
    return found;
  }
});
