import { expect } from 'chai';
import { usePanelOpen } from '../../../web/src/viewer/use-panel-open.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';
import { storageOf } from '../doubles/storage.ts';

describe('the panel', () => {
  unmountAfterwards();

  const globals = globalThis as { localStorage?: unknown };

  afterEach(() => {
    delete globals.localStorage;
  });

  it('is open again if it was open', async () => {
    globals.localStorage = storageOf(new Map());
    const first = await mount(usePanelOpen);
    expect(first.value[0]).to.equal(false);
    await first.do(([, setOpen]) => setOpen(true));

    expect((await mount(usePanelOpen)).value[0]).to.equal(true);
  });

  it('opens and closes in a browser that forbids to remember it', async () => {
    Object.defineProperty(globals, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    const hook = await mount(usePanelOpen);
    await hook.do(([, setOpen]) => setOpen(true));

    expect(hook.value[0]).to.equal(true);
  });
});
