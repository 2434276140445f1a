import { expect } from 'chai';
import type { GridCursor } from '../../../web/src/grid/grid-cursor.ts';
import { type PointerHandlers, usePointer } from '../../../web/src/grid/use-pointer.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const globals = globalThis as { Element?: unknown };

/** The cell of the picture at position 5, from (100, 100) on. */
class FakeCell {
  readonly dataset = { position: '5' };
  closest = (): FakeCell => this;
  getBoundingClientRect = (): object => ({ left: 100, top: 100 });
}

describe('a pointer on a picture of the grid', () => {
  const cell = new FakeCell();
  const middle = { target: cell, clientX: 200, clientY: 200 };
  let hook: RenderedHook<PointerHandlers>;
  let selection: Selection;
  let clicks: unknown[];

  before(() => {
    globals.Element = FakeCell;
  });

  after(() => {
    delete globals.Element;
  });

  beforeEach(async () => {
    clicks = [];
    selection = new Selection(new Notices());
    const cursor = {
      click: (position: number, how: object) => clicks.push({ position, ...how }),
    } as unknown as GridCursor;
    hook = await RenderedHook.render(() => usePointer(cursor, selection));
  });

  afterEach(() => hook.unmount());

  const down = (pointerType: string): Promise<void> =>
    hook.do(({ onPointerDown }) => onPointerDown({ ...middle, pointerType } as never));
  const click = (keys: object = {}): Promise<void> =>
    hook.do(({ onPointerUp, onClick }) => {
      onPointerUp();
      onClick({ ...middle, ctrlKey: false, metaKey: false, shiftKey: false, ...keys } as never);
    });

  it('opens it with a click', async () => {
    await down('mouse');
    await click();

    expect(clicks).to.deep.equal([{ position: 5, isChecked: false, isRange: false }]);
  });

  for (const [name, keys] of [
    ['Ctrl', { ctrlKey: true }],
    ['⌘', { metaKey: true }],
    ['the check mark', { clientX: 110, clientY: 110 }],
  ] as const) {
    it(`selects it with a click and ${name}`, async () => {
      await down('mouse');
      await click(keys);

      expect(clicks).to.deep.equal([{ position: 5, isChecked: true, isRange: false }]);
    });
  }

  it('selects a range with Shift', async () => {
    await down('mouse');
    await click({ shiftKey: true });

    expect(clicks).to.deep.equal([{ position: 5, isChecked: false, isRange: true }]);
  });

  it('selects it with a long press, whose click does nothing', async () => {
    await down('touch');
    await hook.pass(500);
    await click();

    expect(clicks).to.deep.equal([{ position: 5, isChecked: true, isRange: false }]);
  });

  it('selects nothing if the finger scrolls', async () => {
    await down('touch');
    await hook.do(({ onPointerMove }) => onPointerMove({ clientX: 200, clientY: 240 } as never));
    await hook.pass(500);

    expect(clicks).to.deep.equal([]);
  });

  it('selects further pictures with taps once one is selected', async () => {
    selection.add([1]);
    await down('touch');
    await click();

    expect(clicks).to.deep.equal([{ position: 5, isChecked: true, isRange: false }]);
  });

  it('shows no menu of the browser at a long press, but at a click of the other button', async () => {
    let prevented = 0;
    const event = { preventDefault: () => void (prevented += 1) } as never;
    await down('touch');
    await hook.do(({ onContextMenu }) => onContextMenu(event));
    await down('mouse');
    await hook.do(({ onContextMenu }) => onContextMenu(event));

    expect(prevented).to.equal(1);
  });
});
