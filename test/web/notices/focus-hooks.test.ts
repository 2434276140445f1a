import { expect } from 'chai';
import { useLostFocus } from '../../../web/src/controls/use-lost-focus.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { usePauseWhileInside } from '../../../web/src/notices/use-pause-while-inside.ts';
import { focusAnother } from '../../../web/src/upload/focus-another.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const globals = globalThis as { Element?: unknown; HTMLElement?: unknown };

class FakeElement extends EventTarget {
  isConnected = true;
  isInside = false;
  focused = 0;
  button: FakeElement | null = null;
  matches = (): boolean => this.isInside;
  querySelector = (): FakeElement | null => this.button;
  closest = (): FakeElement | null => null;
  focus = (): void => void (this.focused += 1);
}

function sendFrom(list: FakeElement, type: string, target: FakeElement): void {
  list.dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: target }));
}

describe('hooks that follow the focus', () => {
  let hook: RenderedHook<unknown>;
  let list: FakeElement;

  before(() => {
    globals.Element = FakeElement;
    globals.HTMLElement = FakeElement;
  });

  after(() => {
    delete globals.Element;
    delete globals.HTMLElement;
  });

  beforeEach(() => {
    list = new FakeElement();
  });

  afterEach(() => hook.unmount());

  describe('notices', () => {
    let time: ManualTime;
    let notices: Notices;

    beforeEach(async () => {
      time = new ManualTime();
      notices = new Notices(time);
      notices.show('Saved', { lifetimeMs: 1000 });
      const ref = { current: list as unknown as HTMLElement };
      hook = await RenderedHook.render(() => usePauseWhileInside(ref, notices));
    });

    const count = (): number => notices.shown.get().length;

    async function go(type: string, isInside: boolean): Promise<void> {
      list.isInside = isInside;
      await hook.do(() => list.dispatchEvent(new Event(type)));
    }

    it('stay while the mouse or the focus is in them', async () => {
      for (const type of ['pointerenter', 'focusin']) {
        await go(type, true);
        time.pass(60_000);
        expect(count()).to.equal(1);
      }
      await go('focusout', false);
      time.pass(1000);

      expect(count()).to.equal(0);
    });

    it('do not stay because their list has gone away', async () => {
      await go('pointerenter', true);
      await hook.unmount();
      time.pass(1000);

      expect(count()).to.equal(0);
    });
  });

  describe('the focus of the tray', () => {
    let removed: FakeElement;
    let other: FakeElement;

    beforeEach(async () => {
      [removed, other] = [new FakeElement(), new FakeElement()];
      list.button = other;
      const ref = { current: list as unknown as HTMLElement };
      hook = await RenderedHook.render(() => useLostFocus(ref, () => focusAnother(ref.current)));
      Object.assign(document, { body: {}, activeElement: undefined });
      Object.assign(document, { activeElement: document.body });
    });

    it('goes to another button if its button disappears', async () => {
      sendFrom(list, 'focusin', removed);
      removed.isConnected = false;
      await hook.again();

      expect(other.focused).to.equal(1);
    });

    it('stays where the person has moved it', async () => {
      sendFrom(list, 'focusin', removed);
      removed.isConnected = false;
      Object.assign(document, { activeElement: {} });
      await hook.again();

      expect(other.focused).to.equal(0);
    });

    it('does not come back after it has left', async () => {
      sendFrom(list, 'focusin', removed);
      sendFrom(list, 'focusout', removed);
      await Promise.resolve();
      removed.isConnected = false;
      await hook.again();

      expect(other.focused).to.equal(0);
    });
  });
});
