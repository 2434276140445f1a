import { expect } from 'chai';
import { type Chrome, useChrome } from '../../../web/src/stage/use-chrome.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';
import type { RenderedHook } from '../doubles/rendered-hook.ts';

describe('the buttons of the viewer', () => {
  unmountAfterwards();

  let dialog: EventTarget & { querySelector: () => object | null };
  let isInUse: boolean;
  let hook: RenderedHook<Chrome>;

  beforeEach(async () => {
    isInUse = false;
    dialog = Object.assign(new EventTarget(), { querySelector: () => (isInUse ? {} : null) });
    const ref = { current: dialog as unknown as HTMLDialogElement };
    hook = await mount(() => useChrome(ref));
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
