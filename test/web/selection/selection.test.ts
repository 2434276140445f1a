import { expect } from 'chai';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';

describe('the selection', () => {
  const pages = new FakeImagePages(daysOf(100, () => 200));
  let list: PagedImages;
  let notices: Notices;
  let selection: Selection;

  beforeEach(async () => {
    list = new PagedImages(pages, { query: { sort: 'taken', order: 'desc' } });
    await list.refresh();
    await list.load(0);
    notices = new Notices();
    selection = new Selection(notices);
  });

  it('selects and deselects single pictures', () => {
    selection.toggle(1);
    selection.toggle(2);
    selection.toggle(1);

    expect(selected()).to.deep.equal([2]);
  });

  it('extends from the picture that was selected last, in both directions', async () => {
    selection.toggle(pages.idAt(10));
    await selection.extendTo(list, 12);
    expect(selected()).to.deep.equal(ids(10, 12));

    await selection.extendTo(list, 8);
    expect(selected()).to.deep.equal(ids(8, 10));
  });

  it('keeps what was selected before the range', async () => {
    selection.toggle(pages.idAt(50));
    selection.toggle(pages.idAt(10));
    await selection.extendTo(list, 12);
    await selection.extendTo(list, 11);

    expect(selected()).to.deep.equal([...ids(10, 11), pages.idAt(50)].sort((a, b) => b - a));
  });

  it('begins at the given position if nothing was selected', async () => {
    await selection.extendTo(list, 5, 3);

    expect(selected()).to.deep.equal(ids(3, 5));
  });

  it('loads the pictures in between', async () => {
    selection.toggle(pages.idAt(10));

    await selection.extendTo(list, 2000);

    expect(selected()).to.deep.equal(ids(10, 2000));
  });

  it('selects every picture of months that have one each', async () => {
    const short = new FakeImagePages(
      daysOf(3000, (index) => (index % 31 === 0 ? 1 : 0)).filter(({ count }) => count > 0),
    );
    const months = new PagedImages(short, { query: { sort: 'taken', order: 'desc' } });
    await months.refresh();

    await selection.extendTo(months, months.count - 1, 0);

    expect(selected()).to.have.length(short.total);
  });

  it('refuses too many, and selects nothing', async () => {
    selection.toggle(pages.idAt(10));

    await selection.extendTo(list, 6000);

    expect(said()).to.deep.equal(['At most 5,000 pictures can be selected at a time.']);
    expect(selected()).to.deep.equal(ids(10, 10));
  });

  it('selects nothing if pictures in between cannot be loaded', async () => {
    selection.toggle(pages.idAt(10));
    pages.failure = new Error('no service');

    await selection.extendTo(list, 2000);
    expect(said()).to.have.length(1);

    pages.failure = undefined;
    expect(selected()).to.deep.equal(ids(10, 10));
  });

  it('drops a range that is loaded when another was begun', async () => {
    selection.toggle(pages.idAt(10));
    const slow = selection.extendTo(list, 3000);
    await selection.extendTo(list, 12);
    await slow;

    expect(selected()).to.deep.equal(ids(10, 12));
  });

  it('is empty after it was cleared, also if a range is under way', async () => {
    selection.toggle(pages.idAt(10));
    const slow = selection.extendTo(list, 3000);
    selection.clear();
    await slow;

    expect(selected()).to.deep.equal([]);
  });

  const said = (): readonly string[] => notices.shown.get().map(({ text }) => text);

  function selected(): readonly number[] {
    return [...selection.ids.get()].sort((a, b) => b - a);
  }

  function ids(first: number, last: number): readonly number[] {
    return Array.from({ length: last - first + 1 }, (_, at) => pages.idAt(first + at));
  }
});
