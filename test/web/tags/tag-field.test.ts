import { expect } from 'chai';
import { type TagField, useTagField } from '../../../web/src/tags/use-tag-field.ts';
import { focusOn, leave, pressIn, typeInto } from '../../support/fixtures/field-events.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const KNOWN = [
  { tag: 'tabby', count: 3 },
  { tag: 'tail', count: 1 },
];

let hook: RenderedHook<TagField>;
let tags: readonly string[];
let escapes: number;
const text = (): unknown => hook.value.combobox.field.value;

function useField(): void {
  beforeEach(async () => {
    tags = ['sofa'];
    escapes = 0;
    await open(() => void (escapes += 1));
  });

  afterEach(() => hook.unmount());
}

async function open(onEscape?: () => void): Promise<void> {
  const catalog = {
    tags: async ({ prefix = '' }) => KNOWN.filter(({ tag }) => tag.startsWith(prefix)),
  };
  const onAdd = (added: readonly string[]): void => void (tags = [...tags, ...added]);
  const onRemove = (removed: string): void => void (tags = tags.filter((tag) => tag !== removed));
  hook = await RenderedHook.render(
    () => useTagField({ tags, onAdd, onRemove, onEscape }),
    new GalleryParts({ catalog }).wrap,
  );
  await hook.do(({ combobox }) => focusOn(combobox.field));
}

async function type(text: string): Promise<void> {
  await hook.do(({ combobox }) => typeInto(combobox.field, text));
}

async function press(key: string): Promise<boolean> {
  let isUsed = false;
  await hook.do(({ combobox }) => {
    ({ isUsed } = pressIn(combobox.field, key));
  });
  return isUsed;
}

describe('the field of tags', () => {
  useField();

  for (const key of ['Enter', ',']) {
    it(`adds what was typed with ${key}, and says so when the list is closed`, async () => {
      await type('cat');
      expect(await press(key)).to.equal(true);
      await press('Escape');

      expect([tags, text()]).to.deep.equal([['sofa', 'cat'], '']);
      expect(hook.value.announcement).to.equal('Added cat');
    });
  }

  it('suggests tags that begin with the text, and adds the one that is active', async () => {
    await type('ta');
    expect(hook.value.combobox.list.options).to.deep.equal(KNOWN);
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Enter');

    expect(tags).to.deep.equal(['sofa', 'tail']);
  });

  it('adds a suggestion that is clicked', async () => {
    await hook.do(({ combobox }) => combobox.list.onChoose({ tag: 'tabby', count: 3 }));

    expect(tags).to.deep.equal(['sofa', 'tabby']);
  });

  it('adds what was typed when it loses the focus', async () => {
    await type('cat');
    await hook.do(({ combobox }) => leave(combobox.field));

    expect(tags).to.deep.equal(['sofa', 'cat']);
  });

  it('keeps what was typed while the window is not in use', async () => {
    await type('cat');
    await hook.do(({ combobox }) => {
      combobox.field.onBlur?.({ currentTarget: document.activeElement } as never);
    });

    expect([tags, text()]).to.deep.equal([['sofa'], 'cat']);
  });

  it('adds a pasted list, together with what was typed', async () => {
    let isPrevented = false;
    await type('black ');
    await hook.do(({ paste }) =>
      paste({
        clipboardData: { getData: () => 'cat, tabby' },
        preventDefault: () => void (isPrevented = true),
      } as never),
    );

    expect([tags, isPrevented]).to.deep.equal([['sofa', 'black cat', 'tabby'], true]);
  });

  it('lets the browser paste a text without commas', async () => {
    await hook.do(({ paste }) => paste({ clipboardData: { getData: () => 'cat' } } as never));

    expect(tags).to.deep.equal(['sofa']);
  });

  it('keeps what is too long, and says why until it is edited', async () => {
    await type('x'.repeat(65));
    await press('Enter');
    expect([tags, hook.value.problem, text()]).to.deep.equal([['sofa'], 'too-long', 'x'.repeat(65)]);
    await type('x');

    expect(hook.value.problem).to.equal(undefined);
  });
});

describe('the field of tags at Backspace and Escape', () => {
  useField();

  it('removes the last tag with Backspace, and passes the key on if there is none', async () => {
    expect(await press('Backspace')).to.equal(true);
    expect(tags).to.deep.equal([]);

    expect(await press('Backspace')).to.equal(false);
  });

  it('closes the list with Escape, then clears the text, then is left', async () => {
    await type('ta');
    await press('Escape');
    expect([hook.value.combobox.isListShown, text()]).to.deep.equal([false, 'ta']);
    await press('Escape');
    expect([text(), escapes]).to.deep.equal(['', 0]);
    await press('Escape');

    expect(escapes).to.equal(1);
  });

  it('passes Escape on if there is nothing to leave', async () => {
    await hook.unmount();
    await open();
    await press('Escape');

    expect(await press('Escape')).to.equal(false);
  });
});
