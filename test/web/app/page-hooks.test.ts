import { expect } from 'chai';
import { usePageTitle } from '../../../web/src/app/page-title.ts';
import { sharedValue } from '../../../web/src/base/shared-value.ts';
import { Store } from '../../../web/src/base/store.ts';
import { useStore } from '../../../web/src/base/use-store.ts';
import { useStoreValue } from '../../../web/src/base/use-store-value.ts';
import { useShortcut } from '../../../web/src/shortcuts/use-shortcut.ts';
import { type Chrome, useChrome } from '../../../web/src/stage/use-chrome.ts';
import { useSecondsUntil } from '../../../web/src/states/use-seconds-until.ts';
import { usePanelOpen } from '../../../web/src/viewer/use-panel-open.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const PRESS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
const ON_PAGE = { typing: false, onControl: false, dialog: undefined };

let mounted: RenderedHook<unknown> | undefined;

async function rendered<Value>(hook: () => Value, parts = new GalleryParts()): Promise<RenderedHook<Value>> {
  const result = await RenderedHook.render(hook, parts.wrap);
  mounted = result;
  return result;
}

function unmountHook(): void {
  afterEach(async () => {
    await mounted?.unmount();
    mounted = undefined;
  });
}

describe('hooks of the page', () => {
  unmountHook();

  describe('a store', () => {
    it('renders again when its value changes', async () => {
      const store = new Store(1);
      const hook = await rendered(() => useStore(store));
      await hook.do(() => store.set(2));

      expect(hook.value).to.equal(2);
    });

    it('renders again only if what is selected changes', async () => {
      const store = new Store({ name: 'Ada', count: 1 });
      let renders = 0;
      const hook = await rendered(() => {
        renders += 1;
        return useStoreValue(store, ({ name }) => name);
      });
      await hook.do(() => store.update((value) => ({ ...value, count: 2 })));
      expect(renders).to.equal(1);
      await hook.do(() => store.update((value) => ({ ...value, name: 'Grace' })));

      expect([renders, hook.value]).to.deep.equal([2, 'Grace']);
    });
  });

  describe('a shared object', () => {
    it('without its provider is a mistake', async () => {
      const useThing = sharedValue<object>();
      let error: unknown;
      await rendered(() => {
        try {
          useThing();
        } catch (caught) {
          error = caught;
        }
      });

      expect(error).to.be.instanceOf(TypeError);
    });
  });

  describe('the seconds until an attempt', () => {
    it('count down to 0, and no further', async () => {
      let until: number | undefined;
      const hook = await rendered(() => {
        until ??= Date.now() + 2500;
        return useSecondsUntil(until);
      });
      expect(hook.value).to.equal(3);
      await hook.pass(1000);
      expect(hook.value).to.equal(2);
      await hook.pass(5000);

      expect(hook.value).to.equal(0);
    });

    it('are 0 without an attempt', async () => {
      expect((await rendered(() => useSecondsUntil(undefined))).value).to.equal(0);
    });
  });

  describe('the title of the page', () => {
    const record = { title: null, originalName: 'cat.jpg' };
    const list = { find: (id: number) => (id === 7 ? record : undefined) };

    for (const [search, title] of [
      ['', 'Catalog'],
      ['?q=cat&tags=sofa', 'cat, sofa – Catalog'],
      ['?image=7', 'cat.jpg – Catalog'],
      ['?image=8', 'Picture 8 – Catalog'],
      ['?view=trash', 'Trash – Catalog'],
    ] as const) {
      it(`is ${title} for the address ${search || 'without a query'}`, async () => {
        await rendered(usePageTitle, new GalleryParts({ list }, search));

        expect(document.title).to.equal(title);
      });
    }
  });
});

describe('a shortcut of the page', () => {
  unmountHook();

  let parts: GalleryParts;
  let pressed: string[];

  beforeEach(() => {
    parts = new GalleryParts();
    pressed = [];
  });

  const press = (key: string): boolean => parts.shortcuts.handle({ key, ...PRESS }, ON_PAGE);

  it('works as long as its component is there', async () => {
    const hook = await rendered(() => useShortcut(['u', 'U'], ({ key }) => pressed.push(key)), parts);
    expect(press('u')).to.equal(true);
    await hook.unmount();
    mounted = undefined;

    expect([press('u'), pressed]).to.deep.equal([false, ['u']]);
  });

  it('calls what was rendered last', async () => {
    let name = 'first';
    const hook = await rendered(() => useShortcut('u', () => pressed.push(name)), parts);
    name = 'second';
    await hook.again();
    press('u');

    expect(pressed).to.deep.equal(['second']);
  });

  it('can be turned off', async () => {
    let enabled = false;
    const hook = await rendered(() => useShortcut('u', () => true, { enabled }), parts);
    expect(press('u')).to.equal(false);
    enabled = true;
    await hook.again();

    expect(press('u')).to.equal(true);
  });
});

describe('hooks of the page around the viewer', () => {
  unmountHook();

  describe('the panel', () => {
    const globals = globalThis as { localStorage?: unknown };

    afterEach(() => {
      delete globals.localStorage;
    });

    it('is open again if it was open', async () => {
      const kept = new Map<string, string>();
      globals.localStorage = {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
        removeItem: (key: string) => kept.delete(key),
      };
      const first = await rendered(usePanelOpen);
      expect(first.value[0]).to.equal(false);
      await first.do(([, setOpen]) => setOpen(true));
      await first.unmount();

      expect((await rendered(usePanelOpen)).value[0]).to.equal(true);
    });

    it('opens and closes in a browser that forbids to remember it', async () => {
      Object.defineProperty(globals, 'localStorage', {
        configurable: true,
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
      const hook = await rendered(usePanelOpen);
      await hook.do(([, setOpen]) => setOpen(true));

      expect(hook.value[0]).to.equal(true);
    });
  });

  describe('the buttons of the viewer', () => {
    let dialog: EventTarget & { querySelector: () => object | null };
    let isInUse: boolean;
    let hook: RenderedHook<Chrome>;

    beforeEach(async () => {
      isInUse = false;
      dialog = Object.assign(new EventTarget(), { querySelector: () => (isInUse ? {} : null) });
      const ref = { current: dialog as unknown as HTMLDialogElement };
      hook = await rendered(() => useChrome(ref));
    });

    const move = (pointerType: string): Promise<void> =>
      hook.do(() => dialog.dispatchEvent(Object.assign(new Event('pointermove'), { pointerType })));

    it('fade when the mouse rests, and come back when it moves', async () => {
      await move('mouse');
      await hook.pass(2000);
      expect(hook.value.isVisible).to.equal(false);
      await move('mouse');

      expect(hook.value.isVisible).to.equal(true);
    });

    it('stay while the mouse or the keyboard is at one of them', async () => {
      isInUse = true;
      await move('mouse');
      await hook.pass(2000);

      expect(hook.value.isVisible).to.equal(true);
    });

    it('stay for fingers, whose tap shows and hides them', async () => {
      await move('touch');
      await hook.pass(2000);
      expect(hook.value.isVisible).to.equal(true);
      await hook.do(({ toggle }) => toggle());

      expect(hook.value.isVisible).to.equal(false);
    });

    it('come back with a key', async () => {
      await hook.do(({ toggle }) => toggle());
      await hook.do(() => dialog.dispatchEvent(new Event('keydown')));

      expect(hook.value.isVisible).to.equal(true);
    });
  });
});
