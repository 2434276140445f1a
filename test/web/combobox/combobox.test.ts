import { expect } from 'chai';
import {
  type ComboboxAction,
  type ComboboxState,
  closedCombobox,
  isListShown,
  reduceCombobox,
} from '../../../web/src/combobox/combobox-state.ts';
import { keyMeaning } from '../../../web/src/combobox/key-meaning.ts';

const OPTIONS = 2;

function after(...actions: readonly ComboboxAction[]): ComboboxState {
  return actions.reduce(reduceCombobox, closedCombobox('ca'));
}

function moved(...steps: readonly (1 | -1)[]): ComboboxState {
  const moves = steps.map((step) => ({ kind: 'move', step, count: OPTIONS }) as const);
  return after({ kind: 'focus' }, ...moves);
}

describe('a combobox', () => {
  it('shows its list while it has the focus, if there are options', () => {
    expect(isListShown(closedCombobox('ca'), OPTIONS)).to.equal(false);
    expect(isListShown(after({ kind: 'focus' }), OPTIONS)).to.equal(true);
    expect(isListShown(after({ kind: 'focus' }), 0)).to.equal(false);
    expect(isListShown(after({ kind: 'focus' }, { kind: 'leave' }), OPTIONS)).to.equal(false);
  });

  it('shows a closed list again when the text is edited, at a click and at an arrow key', () => {
    const closed = [{ kind: 'focus' }, { kind: 'close' }] as const;
    expect(isListShown(after(...closed), OPTIONS)).to.equal(false);

    const openers: readonly ComboboxAction[] = [
      { kind: 'edit', text: 'cat' },
      { kind: 'open' },
      { kind: 'move', step: 1, count: OPTIONS },
    ];
    for (const opener of openers) expect(isListShown(after(...closed, opener), OPTIONS)).to.equal(true);
  });

  it('moves through the options and back to the field', () => {
    expect(moved(1).active).to.equal(0);
    expect(moved(1, 1).active).to.equal(1);
    expect(moved(1, 1, 1).active).to.equal(undefined);
    expect(moved(-1).active).to.equal(1);
    expect(moved(-1, -1, -1).active).to.equal(undefined);
    expect(after({ kind: 'focus' }, { kind: 'move', step: 1, count: 0 }).active).to.equal(undefined);
  });

  it('begins at the field again if its list was closed', () => {
    const { active } = reduceCombobox(
      { ...moved(1, 1), isOpen: false },
      { kind: 'move', step: 1, count: OPTIONS },
    );

    expect(active).to.equal(0);
  });

  it('has no active option after an edit, and when the text is done with', () => {
    expect(reduceCombobox(moved(1), { kind: 'edit', text: 'c' }).active).to.equal(undefined);
    const settled = reduceCombobox(moved(1), { kind: 'settle', text: '' });

    expect([settled.active, settled.text, settled.isOpen]).to.deep.equal([undefined, '', false]);
  });

  it('keeps what it has said until the text is edited', () => {
    const said = after({ kind: 'say', text: 'Added' }, { kind: 'focus' }, { kind: 'settle', text: '' });

    expect(said.said).to.equal('Added');
    expect(reduceCombobox(said, { kind: 'edit', text: 'c' }).said).to.equal('');
  });

  it('takes over a text from elsewhere without a change of its list', () => {
    const before = moved(1);

    expect(reduceCombobox(before, { kind: 'replace', text: 'dog' })).to.deep.equal({
      ...before,
      text: 'dog',
    });
  });
});

describe('a key in a combobox', () => {
  const meaning = (key: string, state: ComboboxState, repeat = false): unknown =>
    keyMeaning({ key, repeat }, state, OPTIONS, ['Enter', ',']);

  it('moves with the arrows', () => {
    expect(meaning('ArrowDown', closedCombobox(''))).to.deep.equal({ kind: 'move', step: 1 });
    expect(meaning('ArrowUp', closedCombobox(''))).to.deep.equal({ kind: 'move', step: -1 });
  });

  for (const key of ['Enter', ',']) {
    it(`chooses the active option with ${key}, and else enters the text`, () => {
      expect(meaning(key, moved(1, 1))).to.deep.equal({ kind: 'choose', index: 1 });
      expect(meaning(key, moved())).to.deep.equal({ kind: 'enter' });
      expect(meaning(key, { ...moved(1), isOpen: false })).to.deep.equal({ kind: 'enter' });
    });
  }

  it('closes the list with Escape, and says so if there is none', () => {
    expect(meaning('Escape', moved())).to.deep.equal({ kind: 'close' });
    expect(meaning('Escape', closedCombobox('ca'))).to.deep.equal({ kind: 'escape' });
  });

  it('removes what is before the empty field with Backspace, but not while it is held down', () => {
    expect(meaning('Backspace', closedCombobox(''))).to.deep.equal({ kind: 'remove' });
    expect(meaning('Backspace', closedCombobox(''), true)).to.equal(undefined);
    expect(meaning('Backspace', closedCombobox('c'))).to.equal(undefined);
  });

  it('else belongs to the field', () => {
    for (const key of ['a', 'Home', 'ArrowLeft', 'Tab']) expect(meaning(key, moved(1))).to.equal(undefined);
  });
});
