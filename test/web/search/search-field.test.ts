import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { type Search, useSearch } from '../../../web/src/search/use-search.ts';
import { focusOn, leave, pressIn, typeInto } from '../../support/fixtures/field-events.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const PAUSE_MS = 350;

let parts: GalleryParts;
let hook: RenderedHook<Search>;
const text = (): unknown => hook.value.combobox.field.value;
const labels = (): readonly string[] => hook.value.combobox.list.options.map(({ label }) => label);

function unmountSearch(): void {
  // The field imports it when it has the focus.
  before(() => import('../../../web/src/search/load-date-finder.ts'));

  afterEach(() => hook.unmount());
}

/** What is known of the list of the view. */
function listOf(count: number | undefined): unknown {
  return { version: new Store(0), contents: count === undefined ? undefined : { isOpen: false }, count };
}

async function open(search = '', months = [{ period: '2026-05', count: 2 }]): Promise<void> {
  const catalog = {
    tags: async ({ prefix = '' }) => (prefix === 'tab' ? [{ tag: 'tabby', count: 3 }] : []),
    timeline: async () => months,
  };
  parts = new GalleryParts({ catalog }, search);
  hook = await RenderedHook.render(useSearch, parts.wrap);
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

describe('the search field', () => {
  unmountSearch();

  it('searches for words when the typing pauses, in one entry of the history', async () => {
    await open();
    await type('ca');
    await hook.pass(PAUSE_MS - 50);
    expect(parts.search).to.equal('');
    await type('cat');
    await hook.pass(PAUSE_MS - 50);
    expect(parts.search).to.equal('');
    await hook.pass(50);
    await type('cat s');
    await hook.pass(PAUSE_MS);

    expect(parts.page.entries).to.deep.equal(['', '?q=cat+s']);
  });

  for (const [typed, words] of [
    ['May 2026', ''],
    ['14 may 2026', ''],
    ['since may 2026', ''],
    ['cat 14 may 2026', 'cat'],
  ] as const) {
    it(`filters by the only date that the text means: ${typed}`, async () => {
      await open();
      await type(typed);
      await hook.pass(PAUSE_MS);
      expect(parts.search).to.equal('');
      await hook.do(({ submit }) => void submit());

      const query = new URLSearchParams(parts.search);
      expect(query.get('takenAfter')).to.match(/^2026-0[45]/);
      expect(query.get('q') ?? '').to.equal(words);
      expect(text()).to.equal(words);
    });
  }

  it('closes the list with Escape, then clears the words', async () => {
    await open('?q=tab');
    await hook.pass(PAUSE_MS);
    expect(hook.value.combobox.isListShown).to.equal(true);
    await press('Escape');
    expect([hook.value.combobox.isListShown, text()]).to.deep.equal([false, 'tab']);
    await press('Escape');

    expect([text(), parts.search, hook.value.isEmpty]).to.deep.equal(['', '', true]);
  });

  it('removes the last filter with Backspace', async () => {
    await open('?tags=sofa%2Ctabby');
    await press('Backspace');

    expect(parts.search).to.equal('?tags=sofa');
    expect(hook.value.announcement).to.equal('Removed tabby');
    await press('Backspace');
    expect(parts.search).to.equal('');
  });

  it('removes no words with Backspace', async () => {
    await open('?q=cat');
    await type('');
    await press('Backspace');

    expect(parts.search).to.equal('?q=cat');
  });

  it('searches for what was typed when it loses the focus', async () => {
    await open();
    await type('cat');
    await hook.do(({ combobox }) => leave(combobox.field));

    expect(parts.search).to.equal('?q=cat');
  });

  it('follows words that are changed elsewhere', async () => {
    await open('?q=cat');
    await hook.do(() => parts.addressBar.push({ q: 'dog' }));
    expect(text()).to.equal('dog');
    await hook.do(() => parts.page.back());

    expect(text()).to.equal('cat');
  });

  it('keeps a space at the end of the words, which the address does not have', async () => {
    await open();
    await type('cat ');
    await hook.pass(PAUSE_MS);

    expect([parts.search, text()]).to.deep.equal(['?q=cat', 'cat ']);
  });

  it('is empty when it is cleared', async () => {
    await open('?q=cat');
    await hook.do(({ clear }) => clear());

    expect([text(), parts.search]).to.deep.equal(['', '']);
  });

  it('takes no key that ends the composition of a character', async () => {
    await open('?tags=sofa');
    const { isUsed } = pressIn(hook.value.combobox.field, 'Backspace', { isComposing: true });

    expect([isUsed, parts.search]).to.deep.equal([false, '?tags=sofa']);
  });
});

describe('the search field with suggestions', () => {
  unmountSearch();

  it('searches for a word that may be a month, and offers the month', async () => {
    await open();
    await type('May');
    await hook.pass(PAUSE_MS);
    expect(parts.search).to.equal('?q=May');
    await hook.do(({ submit }) => void submit());

    expect(parts.search).to.equal('?q=May');
    expect(hook.value.combobox.isListShown).to.equal(true);
    expect(labels()).to.deep.equal(['May 2026']);
  });

  it('leaves Enter to the form as long as no option is active', async () => {
    await open();
    await type('tab');

    expect(await press('Enter')).to.equal(false);
  });

  it('makes a filter of the option that Enter takes, and says so', async () => {
    await open();
    await type('black tab');
    await hook.pass(PAUSE_MS);
    expect(labels()).to.deep.equal(['tabby']);
    await press('ArrowDown');
    expect(hook.value.combobox.field['aria-activedescendant']).to.match(/-0$/);
    expect(await press('Enter')).to.equal(true);

    expect(parts.search).to.equal('?q=black&tags=tabby');
    expect([text(), hook.value.announcement]).to.deep.equal(['black', 'Filtered by tabby']);
    expect(hook.value.combobox.isListShown).to.equal(false);
  });

  it('asks for the tags of the last word when those of all words are there', async () => {
    const asked: string[] = [];
    let answer = (): void => undefined;
    const catalog = {
      tags: ({ prefix = '' }) => {
        asked.push(prefix);
        return new Promise((resolve) => {
          answer = () => resolve([]);
        });
      },
      timeline: async () => [],
    };
    parts = new GalleryParts({ catalog });
    hook = await RenderedHook.render(useSearch, parts.wrap);
    await hook.do(({ combobox }) => focusOn(combobox.field));
    await hook.do(() => answer());
    await type('black tab');
    await hook.pass(PAUSE_MS);
    expect(asked).to.deep.equal(['', 'black tab']);
    await hook.do(() => answer());

    expect(asked).to.deep.equal(['', 'black tab', 'tab']);
  });

  it('does not search for words that a filter has replaced', async () => {
    await open('', []);
    await type('tab');
    await hook.pass(PAUSE_MS / 2);
    await press('ArrowDown');
    await press('Enter');
    await hook.pass(PAUSE_MS);

    expect(parts.search).to.equal('?tags=tabby');
  });

  it('says how many suggestions there are while they are shown', async () => {
    await open();
    await type('tab');
    await hook.pass(PAUSE_MS);

    expect(hook.value.announcement).to.match(/^1 /);
  });
});

describe('words that are entered, and that no picture has', () => {
  unmountSearch();

  async function enter(text: string, found: number): Promise<void> {
    await type(text);
    await hook.pass(PAUSE_MS);
    await hook.do(({ submit }) => void submit());
    await hook.do(() => parts.list.set(listOf(undefined)));
    await hook.do(() => parts.list.set(listOf(found)));
  }

  for (const [typed, search] of [
    ['untagged', '?tagged=false'],
    ['undated', '?dated=false'],
    ['camera nikon', '?camera=nikon'],
    ['lens 50mm', '?lens=50mm'],
    ['cat png', '?q=cat&mediaType=image%2Fpng'],
  ] as const) {
    it(`mean the only thing that they can mean: ${typed}`, async () => {
      await open();
      await enter(typed, 0);

      expect(parts.search).to.equal(search);
      expect(text()).to.equal(new URLSearchParams(search).get('q') ?? '');
      expect(hook.value.announcement).to.match(/^Filtered by /);
      expect(parts.page.entries).to.deep.equal(['', search]);
    });
  }

  it('mean a month, if it is the only one', async () => {
    await open();
    await enter('may', 0);

    expect(new URLSearchParams(parts.search).get('takenAfter')).to.match(/^2026-04-30/);
  });

  it('stay words as long as some picture has them', async () => {
    await open();
    await enter('untagged', 1);

    expect(parts.search).to.equal('?q=untagged');
  });

  it('stay words if they can mean several things', async () => {
    await open('', [
      { period: '2026-05', count: 2 },
      { period: '2025-05', count: 2 },
    ]);
    await enter('may', 0);

    expect(parts.search).to.equal('?q=may');
  });

  it('stay words while they are typed', async () => {
    await open();
    await type('untag');
    await hook.pass(PAUSE_MS);
    await hook.do(() => parts.list.set(listOf(0)));

    expect(parts.search).to.equal('?q=untag');
  });
});
