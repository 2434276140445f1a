import { expect } from 'chai';
import { useLayoutEffect } from 'react';
import { useShortcut } from '../../../web/src/shortcuts/use-shortcut.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

const PRESS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
const ON_PAGE = { typing: false, onControl: false, dialog: undefined };

describe('a shortcut of the page', () => {
  unmountAfterwards();

  let parts: GalleryParts;
  let pressed: string[];

  beforeEach(() => {
    parts = new GalleryParts();
    pressed = [];
  });

  const press = (key: string): boolean => parts.shortcuts.handle({ key, ...PRESS }, ON_PAGE);

  it('works as long as its component is there', async () => {
    const hook = await mount(() => useShortcut(['u', 'U'], ({ key }) => pressed.push(key)), parts);
    expect(press('u')).to.equal(true);
    await hook.unmount();

    expect([press('u'), pressed]).to.deep.equal([false, ['u']]);
  });

  it('works before its component is painted', async () => {
    await mount(() => {
      useShortcut('u', () => pressed.push('u'));
      useLayoutEffect(() => void press('u'), []);
    }, parts);

    expect(pressed).to.deep.equal(['u']);
  });

  it('calls what was rendered last', async () => {
    let name = 'first';
    const hook = await mount(() => useShortcut('u', () => pressed.push(name)), parts);
    name = 'second';
    await hook.again();
    press('u');

    expect(pressed).to.deep.equal(['second']);
  });

  it('can be turned off', async () => {
    let enabled = false;
    const hook = await mount(() => useShortcut('u', () => true, { enabled }), parts);
    expect(press('u')).to.equal(false);
    enabled = true;
    await hook.again();

    expect(press('u')).to.equal(true);
  });
});
