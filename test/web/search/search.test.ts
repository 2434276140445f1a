import { expect } from 'chai';
import { DateFinder } from '../../../web/src/search/date-finder.ts';
import { filterChips } from '../../../web/src/search/filter-chips.ts';
import { suggestionsFor, tagPhrases } from '../../../web/src/search/suggestions.ts';
import { WordSearch } from '../../../web/src/search/word-search.ts';
import { AddressBar } from '../../../web/src/view-state/address-bar.ts';
import { NO_FILTERS, parseViewState } from '../../../web/src/view-state/view-state.ts';
import { FakePage } from '../doubles/fake-page.ts';

describe('address bar', () => {
  it('shows the closest valid view of an ill-formed address, without another entry', () => {
    const page = new FakePage('?q=cat&takenAfter=x&page=3');
    const bar = new AddressBar(page);
    expect(bar.view.get().q).to.equal('cat');
    expect(page.entries).to.deep.equal(['?q=cat']);
  });

  it('makes an entry for a change, and goes back', () => {
    const page = new FakePage();
    const bar = new AddressBar(page);
    bar.push({ q: 'cat' });
    bar.replace({ tags: ['sofa'] });
    expect(page.entries).to.deep.equal(['', '?q=cat&tags=sofa']);
    page.back();
    expect(bar.view.get()).to.deep.equal(parseViewState(''));
  });

  it('makes no entry for the same view', () => {
    const page = new FakePage('?q=cat');
    const bar = new AddressBar(page);
    const view = bar.view.get();
    bar.push({ q: 'cat' });
    expect(page.entries).to.have.length(1);
    expect(bar.view.get()).to.equal(view);
  });

  it('shows pictures with a tag or a date instead of those without, and the other way round', () => {
    const bar = new AddressBar(new FakePage('?tagged=false&dated=false'));
    bar.push({ tags: ['sofa'], takenAfter: '2026-05-01T10:00:00Z' });
    expect(bar.view.get()).to.include({ tagged: undefined, dated: undefined });
    bar.push({ tags: [], tagged: false });
    expect(bar.view.get().tagged).to.equal(false);
  });

  it('corrects a change that the service would refuse', () => {
    const bar = new AddressBar(new FakePage());
    bar.push({ q: ' - ', tags: ['a', 'A'], takenAfter: 'soon' });
    expect(bar.view.get()).to.deep.equal({ ...parseViewState(''), tags: ['a'] });
  });

  it('gives a random walk a seed, and takes it away', () => {
    const bar = new AddressBar(new FakePage());
    bar.push({ sort: 'random' });
    expect(bar.view.get().seed).to.equal('1');
    bar.push({ sort: 'added' });
    expect(bar.view.get().seed).to.equal(undefined);
  });
});

describe('words that are typed', () => {
  it('make one entry of the history', () => {
    const page = new FakePage();
    const words = new WordSearch(new AddressBar(page));
    for (const text of ['c', 'ca', 'cat', 'cat ']) words.type(text);
    expect(page.entries).to.deep.equal(['', '?q=cat']);
    page.back();
    words.type('dog');
    expect(page.entries).to.deep.equal(['', '?q=dog']);
  });

  it('make another entry after they were entered', () => {
    const page = new FakePage();
    const words = new WordSearch(new AddressBar(page));
    words.type('ca');
    words.apply('cat');
    words.type('cats');
    words.type('cats sofa');
    expect(page.entries).to.deep.equal(['', '?q=cat', '?q=cats+sofa']);
  });

  it('do not change the entry of a link', () => {
    const page = new FakePage('?q=cat');
    const words = new WordSearch(new AddressBar(page));
    words.type('cat ');
    words.type('cats');
    expect(page.entries).to.deep.equal(['?q=cat', '?q=cats']);
  });

  it('give way to a filter in the same entry', () => {
    const page = new FakePage();
    const words = new WordSearch(new AddressBar(page));
    words.type('tab');
    words.apply('', { tags: ['tabby'] });
    expect(page.entries).to.deep.equal(['', '?tags=tabby']);
  });
});

const months = [
  { period: '2026-11', count: 5 },
  { period: '2026-05', count: 214 },
  { period: '2025-05', count: 3 },
  { period: '2024-01', count: 1 },
];
const dates = new DateFinder('Europe/Berlin', months, () => Date.parse('2026-10-31T23:30:00Z'));
const counts: Readonly<Record<string, readonly string[]>> = {
  '': ['sofa', 'tabby', 'a', 'b', 'c', 'd'],
  tab: ['tabby', 'table'],
  'black tab': ['black table'],
};
const tagsOf = (phrase: string): ReadonlyArray<{ readonly tag: string; readonly count: number }> =>
  (counts[phrase] ?? []).map((tag) => ({ tag, count: 1 }));
const view = parseViewState('?tags=sofa');
const shown = (text: string): readonly string[] =>
  suggestionsFor(text, view, { tagsOf, dates }).map(({ kind, label, rest }) => `${kind} ${label}|${rest}`);

describe('suggestions', () => {
  it('are the most used tags, the last months, what is missing, and the file types without a text', () => {
    expect(shown(' ')).to.deep.equal([
      'tag sofa|',
      'tag tabby|',
      'tag a|',
      'tag b|',
      'tag c|',
      'no-tag Untagged|',
      'date November 2026|',
      'date May 2026|',
      'date May 2025|',
      'no-date Undated|',
      'no-alt No alternative text|',
      'type JPEG|',
      'type PNG|',
      'type WebP|',
      'type GIF|',
    ]);
  });

  it('are tags that begin with all of the text, or with its last word', () => {
    expect(tagPhrases(' black  tab ')).to.deep.equal(['black tab', 'tab']);
    expect(tagPhrases('tab')).to.deep.equal(['tab', undefined]);
    expect(shown('black tab')).to.deep.equal(['tag black table|', 'tag tabby|black', 'tag table|black']);
  });

  it('are dates at the end of the text', () => {
    expect(shown('cats may 2026')).to.deep.equal(['date May 2026|cats']);
    expect(shown('cats since 2026')).to.deep.equal(['date Since 2026|cats']);
    expect(shown('cats')).to.deep.equal([]);
  });

  it('know today in the time zone of the catalog', () => {
    expect(dates.suggest('this month')).to.deep.equal([
      {
        label: 'November 2026',
        hint: 'This month',
        count: 5,
        range: { from: '2026-11-01', until: '2026-11-30' },
        bounds: {
          takenAfter: '2026-10-31T23:59:59.999+01:00',
          takenBefore: '2026-12-01T00:00:00+01:00',
        },
      },
    ]);
  });

  it('are file types, but not the present one', () => {
    expect(shown('cats pn')).to.deep.equal(['type PNG|cats']);
    expect(shown('jpg')).to.deep.equal(['type JPEG|']);
    const png = parseViewState('?mediaType=image/png');
    expect(suggestionsFor('png', png, { tagsOf, dates })).to.deep.equal([]);
  });

  it('add to the filters', () => {
    const [tag] = suggestionsFor('tab', view, { tagsOf, dates });
    expect(tag?.change).to.deep.equal({ tags: ['sofa', 'tabby'] });
    const [type] = suggestionsFor('png', view, { tagsOf, dates });
    expect(type?.change).to.deep.equal({ mediaType: 'image/png' });
  });

  it('are no more tags than an address can hold', () => {
    const full = parseViewState('?tags=a,b,c,d,e,f,g,h,i,j');
    expect(suggestionsFor('tab', full, { tagsOf, dates })).to.deep.equal([]);
  });

  it('are no dates as long as these are not known', () => {
    const found = suggestionsFor('', view, { tagsOf, dates: undefined });
    expect(found.map(({ kind }) => kind)).not.to.include('date');
  });
});

describe('suggestions of cameras, and of what is missing', () => {
  it('are pictures without tags, dates and alternative texts, but not if the view shows these', () => {
    expect(shown('cats unta')).to.deep.equal(['no-tag Untagged|cats']);
    expect(shown('cats without ta')).to.deep.equal(['no-tag Untagged|cats']);
    expect(shown('without')).to.deep.equal([
      'no-tag Untagged|',
      'no-date Undated|',
      'no-alt No alternative text|',
    ]);
    expect(shown('cats without alt')).to.deep.equal(['no-alt No alternative text|cats']);
    expect(shown('No date')).to.deep.equal(['no-date Undated|']);
    expect(shown('u')).to.deep.equal([]);
    const present = parseViewState('?tagged=false&dated=false&alt=false');
    expect(suggestionsFor('without', present, { tagsOf, dates })).to.deep.equal([]);
  });

  it('of pictures without tags or dates replace filters by tags and dates', () => {
    const [untagged, undated] = suggestionsFor('without', view, { tagsOf, dates });
    expect(untagged?.change).to.deep.equal({ tags: [], tagged: false });
    expect(undated?.change).to.deep.equal({ takenAfter: undefined, takenBefore: undefined, dated: false });
  });

  it('are the words behind camera and lens', () => {
    const found = suggestionsFor('cats camera Canon EOS', view, { tagsOf, dates });
    expect(found.map(({ kind, label, change, rest }) => ({ kind, label, change, rest }))).to.deep.equal([
      { kind: 'camera', label: 'Camera: Canon EOS', change: { camera: 'Canon EOS' }, rest: 'cats' },
    ]);
    expect(shown('Lens: 50mm')).to.deep.equal(['lens Lens: 50mm|']);
    expect(shown('lens:50mm')).to.deep.equal(['lens Lens: 50mm|']);
    expect(shown('camera')).to.deep.equal([]);
    expect(shown('lens -')).to.deep.equal([]);
  });
});

describe('filters as chips', () => {
  const search =
    '?q=black+cat&tags=sofa,tabby&takenAfter=2026-04-30T23:59:59.999%2B02:00&takenBefore=2026-06-01T00:00:00%2B02:00&mediaType=image/png&camera=EOS+R5&lens=50mm';
  const missing = '?tagged=false&dated=false';

  it('have a label each', () => {
    const labels = [search, missing].map((query) =>
      filterChips(parseViewState(query)).map(({ label }) => label),
    );
    expect(labels).to.deep.equal([
      ['“black cat”', 'sofa', 'tabby', 'May 2026', 'PNG', 'Camera: EOS R5', 'Lens: 50mm'],
      ['Untagged', 'Undated'],
    ]);
  });

  for (const query of [search, missing]) {
    it(`are gone when each of them is removed: ${query}`, () => {
      let view = parseViewState(query);
      for (let chip = filterChips(view)[0]; chip !== undefined; chip = filterChips(view)[0]) {
        const before = filterChips(view).length;
        view = { ...view, ...chip.removal };
        expect(filterChips(view)).to.have.length(before - 1);
      }
      expect(view).to.deep.equal(parseViewState(''));
      expect({ ...parseViewState(query), ...NO_FILTERS }).to.deep.equal(parseViewState(''));
    });
  }
});
