import { expect } from 'chai';
import {
  type KeyContext,
  type KeyPress,
  type Shortcut,
  Shortcuts,
} from '../../../web/src/shortcuts/shortcuts.ts';
import { storageOf } from '../doubles/storage.ts';

let shortcuts: Shortcuts;
let ran: string[];

const on = (key: string, options: Partial<Shortcut> = {}): (() => void) =>
  shortcuts.register({ keys: [key], run: () => void ran.push(key), ...options });

const press = (key: string, with_: Partial<KeyPress> = {}, where: Partial<KeyContext> = {}): boolean =>
  shortcuts.handle(
    { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...with_ },
    { typing: false, onControl: false, dialog: undefined, ...where },
  );

function useShortcuts(): void {
  beforeEach(() => {
    shortcuts = new Shortcuts();
    ran = [];
  });
}

describe('the keys of the gallery', () => {
  useShortcuts();

  it('run what is registered, and tell that the key is taken', () => {
    on('u');

    expect(press('u')).to.equal(true);
    expect(press('x')).to.equal(false);
    expect(ran).to.deep.equal(['u']);
  });

  it('do nothing after their registration has ended', () => {
    const end = on('u');
    end();

    expect(press('u')).to.equal(false);
  });

  it('run the latest registration, and the one before if that passes the key on', () => {
    on('Escape');
    const end = on('Escape', { run: () => void ran.push('inner') });
    on('Escape', { run: () => false });
    press('Escape');
    end();
    press('Escape');

    expect(ran).to.deep.equal(['inner', 'Escape']);
  });

  it('are letters while a text is being typed, unless they are registered for that', () => {
    on('u');
    on('Escape', { typing: true });
    const typing = { typing: true };

    expect(press('u', {}, typing)).to.equal(false);
    expect(press('Escape', {}, typing)).to.equal(true);
  });

  it('leave Enter and Space to the control that has the focus', () => {
    on('Enter');
    on('Space');
    const onControl = { onControl: true };

    expect(press('Enter', {}, onControl)).to.equal(false);
    expect(press(' ', {}, onControl)).to.equal(false);
    expect(press(' ')).to.equal(true);
  });

  it('of the page rest while a dialog is open, and those of a dialog while another one is on top', () => {
    const viewer = {};
    const list = {};
    on('u');
    on('i', { within: () => viewer });
    on('?', { within: 'any' });
    for (const dialog of [undefined, viewer, list]) {
      for (const key of ['u', 'i', '?']) press(key, {}, { dialog });
    }

    expect(ran).to.deep.equal(['u', '?', 'i', '?', '?']);
  });

  it('of a dialog rest until it is drawn', () => {
    on('i', { within: () => null });

    expect(press('i', {}, { dialog: {} })).to.equal(false);
  });

  it('that are held down repeat if they move or zoom, and not if they act', () => {
    on('u');
    on('ArrowLeft');
    on('+');
    for (const key of ['u', 'ArrowLeft', '+']) press(key, { repeat: true });

    expect(ran).to.deep.equal(['ArrowLeft', '+']);
  });
});

describe('the keys of the gallery with modifiers', () => {
  useShortcuts();

  it('know ⌘ and Ctrl as mod', () => {
    on('mod+k');

    expect(press('k', { ctrlKey: true })).to.equal(true);
    expect(press('k', { metaKey: true })).to.equal(true);
    expect(press('k')).to.equal(false);
    expect(press('k', { ctrlKey: true, metaKey: true })).to.equal(false);
  });

  it('do not take the combinations of the browser', () => {
    on('d');

    expect(press('d', { ctrlKey: true })).to.equal(false);
    expect(press('d', { altKey: true })).to.equal(false);
  });

  it('tell Shift for letters and arrows, but not for signs', () => {
    on('ArrowLeft');
    on('shift+ArrowLeft');
    on('u');
    on('?');
    press('ArrowLeft', { shiftKey: true });
    press('U', { shiftKey: true });
    press('?', { shiftKey: true });

    expect(ran).to.deep.equal(['shift+ArrowLeft', '?']);
  });

  it('ignore Caps Lock', () => {
    on('u');

    expect(press('U')).to.equal(true);
  });
});

describe('keys that are letters or signs alone', () => {
  let remembered: Map<string, string>;

  beforeEach(() => {
    remembered = new Map();
    ran = [];
    open();
  });

  function open(): void {
    shortcuts = new Shortcuts(storageOf(remembered));
    for (const key of ['f', '?', 'Escape', 'Space', 'mod+k']) on(key);
  }

  function pressAll(): readonly string[] {
    for (const key of ['f', '?', 'Escape', ' ']) press(key);
    press('k', { ctrlKey: true });
    return ran.splice(0);
  }

  it('do nothing once they are turned off, also when the page is opened again', () => {
    shortcuts.characters.choose('off');
    expect(pressAll()).to.deep.equal(['Escape', 'Space', 'mod+k']);

    open();
    expect(pressAll()).to.deep.equal(['Escape', 'Space', 'mod+k']);
  });

  it('work again once they are turned on', () => {
    shortcuts.characters.choose('off');
    shortcuts.characters.choose('on');

    expect(pressAll()).to.deep.equal(['f', '?', 'Escape', 'Space', 'mod+k']);
    expect([...remembered.keys()]).to.deep.equal([]);
  });
});
