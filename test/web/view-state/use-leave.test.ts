import { expect } from 'chai';
import { useStoreValue } from '../../../web/src/base/use-store-value.ts';
import { useLeave } from '../../../web/src/view-state/use-leave.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const globals = globalThis as { history?: unknown };

describe('leaving the viewer', () => {
  let parts: GalleryParts;
  let hook: RenderedHook<() => void>;
  let backs: number;

  beforeEach(() => {
    backs = 0;
    globals.history = { back: () => void (backs += 1) };
  });

  afterEach(async () => {
    await hook.unmount();
    delete globals.history;
  });

  async function open(search: string): Promise<void> {
    parts = new GalleryParts({}, search);
    hook = await RenderedHook.render(
      () =>
        useLeave(useStoreValue(parts.addressBar.view, ({ image }) => image) !== undefined, {
          image: undefined,
        }),
      parts.wrap,
    );
  }

  it('goes back to the view from which it was opened', async () => {
    await open('?q=cat');
    await hook.do(() => parts.addressBar.push({ image: 7 }));
    await hook.do((leave) => leave());

    expect([backs, parts.search]).to.deep.equal([1, '?q=cat&image=7']);
  });

  it('goes back once, however often it is asked to', async () => {
    await open('');
    await hook.do(() => parts.addressBar.push({ image: 7 }));
    await hook.do((leave) => {
      leave();
      leave();
    });

    expect(backs).to.equal(1);
  });

  it('does not leave the page if a link has opened the viewer', async () => {
    await open('?q=cat&image=7');
    await hook.do((leave) => leave());

    expect([backs, parts.search]).to.deep.equal([0, '?q=cat']);
  });

  it('does not leave the page after steps to other pictures of a link', async () => {
    await open('?image=7');
    await hook.do(() => parts.addressBar.replace({ image: 8 }));
    await hook.do((leave) => leave());

    expect([backs, parts.search]).to.deep.equal([0, '']);
  });

  it('does nothing if no picture is open', async () => {
    await open('?q=cat');
    await hook.do((leave) => leave());

    expect([backs, parts.page.entries]).to.deep.equal([0, ['?q=cat']]);
  });
});
