import { expect } from 'chai';
import { GridCursor } from '../../../web/src/grid/grid-cursor.ts';
import type { GridModel } from '../../../web/src/grid/grid-model.ts';
import type { PagedImages } from '../../../web/src/images/paged-images.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { AddressBar } from '../../../web/src/view-state/address-bar.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GRID_SIZE, shown } from '../doubles/shown-grid.ts';

const pages = new FakeImagePages(daysOf(100, () => 200));
let model: GridModel;
let list: PagedImages;
let settle: () => Promise<void>;
let selection: Selection;
let addressBar: AddressBar;
let notices: Notices;
let cursor: GridCursor;

function useGrid(): void {
  beforeEach(async () => {
    ({ model, list, settle } = await shown(pages, GRID_SIZE));
    addressBar = new AddressBar({
      location: { search: '' },
      history: { pushState: () => undefined, replaceState: () => undefined },
      addEventListener: () => undefined,
    });
    notices = new Notices();
    selection = new Selection(notices);
    cursor = new GridCursor(model, selection, addressBar);
    cursor.followViewer();
  });
}

function press(key: string, modifiers: Partial<Parameters<GridCursor['press']>[0]> = {}): boolean {
  return cursor.press({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...modifiers,
  });
}

function selected(): readonly number[] {
  return [...selection.ids.get()].sort((a, b) => b - a);
}

describe('the cursor of the grid', () => {
  useGrid();

  it('moves by arrows, to both ends, and not beyond them', () => {
    const visited = ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'Home'].map(
      (key) => {
        press(key);
        return cursor.position;
      },
    );

    expect(visited).to.deep.equal([0, 1, 2, 1, 19_999, 19_999, 0]);
  });

  it('moves up and down to the same picture again', () => {
    press('ArrowDown');
    const below = cursor.position;
    press('ArrowDown');
    press('ArrowUp');

    expect(below).to.be.within(2, 6);
    expect(cursor.position).to.equal(below);
    press('PageDown');
    expect(cursor.position).to.be.greaterThan(below + 4);
  });

  it('opens with enter, and is at the picture that was shown last when the viewer closes', async () => {
    press('ArrowRight');
    press('Enter');
    expect(addressBar.view.get().image).to.equal(pages.idAt(1));

    addressBar.replace({ image: pages.idAt(40) });
    await list.load(40);
    const before = cursor.focusRequests.get();
    addressBar.replace({ image: undefined });

    expect(cursor.position).to.equal(40);
    expect(cursor.focusRequests.get()).to.equal(before + 1);
  });

  it('enters at the first picture in view if its own is not drawn', async () => {
    cursor.moveTo(3);
    cursor.leave();
    model.jumpTo(10_000);
    await settle();

    cursor.enter();

    expect(cursor.position).to.be.within(9990, 10_000);
    expect(cursor.hasFocus).to.equal(true);
  });

  it('follows its picture when others are hidden', () => {
    cursor.moveTo(10);

    list.hide([pages.idAt(3), pages.idAt(4)]);

    expect(cursor.position).to.equal(8);
  });

  it('leaves other keys to the browser', () => {
    expect(['Tab', 'x', 'F5'].map((key) => press(key))).to.deep.equal([false, false, false]);
    expect(press('ArrowRight', { altKey: true })).to.equal(false);
    expect(press('ArrowRight', { ctrlKey: true })).to.equal(false);
  });
});

describe('the cursor of the grid and the selection', () => {
  useGrid();

  it('selects with the space key, extends with shift, clears with escape', async () => {
    press(' ');
    press('ArrowRight', { shiftKey: true });
    press('ArrowRight', { shiftKey: true });
    await settle();
    expect(selected()).to.deep.equal([0, 1, 2].map((at) => pages.idAt(at)));

    press('ArrowLeft', { shiftKey: true });
    await settle();
    expect(selected()).to.deep.equal([0, 1].map((at) => pages.idAt(at)));

    expect(press('Escape')).to.equal(true);
    expect(selected()).to.deep.equal([]);
    expect(press('Escape')).to.equal(false);
  });

  it('selects no list that is too large, explains why, and keeps what was selected', async () => {
    press(' ');
    cursor.selectAll();
    await settle();

    expect(selected()).to.deep.equal([pages.idAt(0)]);
    expect(notices.shown.get().map(({ text }) => text)).to.deep.equal([
      'At most 5,000 pictures can be selected at a time.',
    ]);
  });

  it('opens what is clicked, selects at the check mark, extends with shift', async () => {
    cursor.click(5, { isChecked: true, isRange: false });
    cursor.click(8, { isChecked: false, isRange: true });
    await settle();
    expect(selected()).to.deep.equal([5, 6, 7, 8].map((at) => pages.idAt(at)));

    cursor.click(9, { isChecked: false, isRange: false });
    expect(addressBar.view.get().image).to.equal(pages.idAt(9));
  });
});
