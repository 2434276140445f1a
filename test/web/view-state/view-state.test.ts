import { expect } from 'chai';
import * as fc from 'fast-check';
import { searchWords } from '../../../src/domain/image/words/words.ts';
import { listKeyOf } from '../../../web/src/view-state/list-key-of.ts';
import { listQueryOf } from '../../../web/src/view-state/list-query.ts';
import {
  filtersOf,
  formatViewState,
  isFiltered,
  NO_FILTERS,
  parseViewState,
  SORTS,
  type ViewState,
  validCapture,
  validTags,
  validWords,
} from '../../../web/src/view-state/view-state.ts';

const START: ViewState = parseViewState('');

const time = fc
  .tuple(
    fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
    fc.constantFrom('Z', '+02:00', '-09:30'),
  )
  .map(([date, offset]) => date.toISOString().replace(/(\.000)?Z$/, offset));

const view: fc.Arbitrary<ViewState> = fc
  .record({
    q: fc.string({ unit: 'binary' }).map(validWords),
    tags: fc.array(fc.string({ unit: 'binary' }).map((text) => text.replaceAll(',', ''))).map(validTags),
    takenAfter: fc.option(time, { nil: undefined }),
    takenBefore: fc.option(time, { nil: undefined }),
    mediaType: fc.constantFrom('image/jpeg', 'image/png', undefined),
    camera: fc.string({ unit: 'binary' }).map(validCapture),
    lens: fc.string({ unit: 'binary' }).map(validCapture),
    tagged: fc.constantFrom(false as const, undefined),
    dated: fc.constantFrom(false as const, undefined),
    alt: fc.constantFrom(false as const, undefined),
    createdBy: fc.string({ unit: 'binary', maxLength: 127 }).map((text) => text.replaceAll('\0', '')),
    sort: fc.constantFrom(...SORTS),
    seed: fc.stringMatching(/^[\x21-\x7e]{1,64}$/),
    image: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { nil: undefined }),
    compare: fc
      .uniqueArray(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 4 })
      .map((ids) => (ids.length === 1 ? [] : ids)),
    slideshow: fc.option(fc.stringMatching(/^[\x21-\x7e]{1,64}$/), { nil: undefined }),
    page: fc.constantFrom('pictures', 'tags', 'published', 'trash'),
  })
  .map((state) => ({
    ...state,
    seed: state.sort === 'random' ? state.seed : undefined,
    tagged: state.tags.length > 0 ? undefined : state.tagged,
    dated: state.takenAfter === undefined && state.takenBefore === undefined ? state.dated : undefined,
  }));

describe('view state', () => {
  it('survives the way through the address', () => {
    fc.assert(
      fc.property(view, (state) => {
        expect(parseViewState(formatViewState(state))).to.deep.equal(state);
      }),
    );
  });

  it('is the timeline of all pictures without a query', () => {
    const closed = { image: undefined, compare: [], slideshow: undefined, page: 'pictures' };
    expect(START).to.deep.equal({ ...NO_FILTERS, sort: 'taken', seed: undefined, ...closed });
  });

  it('compares two to four pictures', () => {
    expect(parseViewState('?compare=1').compare).to.deep.equal([]);
    expect(parseViewState('?compare=1,1,x,2').compare).to.deep.equal([1, 2]);
    expect(parseViewState('?compare=5,4,3,2,1').compare).to.deep.equal([5, 4, 3, 2]);
    expect(formatViewState(START)).to.equal('');
  });

  it('is the same whatever an ill-formed address is corrected to', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('2026-05-01', 'random', '1', ',', 'a,,b'),
    );
    const query = fc.dictionary(fc.constantFrom(...Object.keys(START)), text);
    fc.assert(
      fc.property(query, (values) => {
        const corrected = formatViewState(parseViewState(new URLSearchParams(values).toString()));
        expect(formatViewState(parseViewState(corrected))).to.equal(corrected);
      }),
    );
  });

  const ill = [
    'takenAfter=x',
    'takenAfter=2026-05-01',
    'takenAfter=2026-02-31T00:00:00Z',
    'takenAfter=2026-05-01T24:00:00Z',
    'takenBefore=2026-05-01T10:00:00',
    'takenBefore=2026-05-01T10:00:60Z',
    'q=%20-%20',
    'q=',
    'tags=,%20,',
    `tags=${'x'.repeat(65)}`,
    'mediaType=image/avif',
    'camera=%20-%20',
    'lens=',
    'tagged=true',
    'dated=0',
    `createdBy=${'x'.repeat(256)}`,
    'createdBy=a%00b',
    'sort=price',
    'seed=7',
    'image=0',
    'image=9007199254740993',
    'page=3',
  ];
  for (const search of ill) {
    it(`leaves out ${search}`, () => {
      expect(parseViewState(`?${search}`)).to.deep.equal(START);
    });
  }

  it('keeps what is well-formed beside what is not', () => {
    expect(parseViewState('?q=cat&takenAfter=x&sort=random&seed=%20')).to.deep.equal({
      ...START,
      q: 'cat',
      sort: 'random',
      seed: '1',
    });
  });

  it('takes a plus sign that was not percent-encoded, and lower case', () => {
    const { takenAfter } = parseViewState('?takenAfter=2026-05-01t10:00:00.1239+02:00');
    expect(takenAfter).to.equal('2026-05-01T10:00:00.123+02:00');
  });

  it('cuts words about the camera to the 100 characters that the service takes', () => {
    expect(parseViewState(`?camera=${'a'.repeat(150)}`).camera).to.equal('a'.repeat(100));
    expect(parseViewState(`?lens=${'a'.repeat(150)}`).lens).to.equal('a'.repeat(100));
  });

  it('leaves out what a filter by tags or dates rules out', () => {
    expect(parseViewState('?tags=sofa&tagged=false')).to.deep.equal({ ...START, tags: ['sofa'] });
    const since = '2026-05-01T10:00:00Z';
    expect(parseViewState(`?takenAfter=${since}&dated=false`)).to.deep.equal({ ...START, takenAfter: since });
  });

  it('cuts words to the 200 characters that the service takes', () => {
    expect(validWords('😀a'.repeat(150))).to.equal('😀a'.repeat(100));
  });

  it('takes a text for words exactly if the service finds one in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(validWords(text) !== '').to.equal(searchWords(text).length > 0);
      }),
    );
  });

  it('keeps one of tags that differ in case, and ten of them', () => {
    expect(validTags([' Tabby', 'tabby', '', 'sofa'])).to.deep.equal(['Tabby', 'sofa']);
    expect(validTags(Array.from('abcdefghijklm'))).to.have.length(10);
  });

  it('knows whether there is a filter', () => {
    expect(isFiltered({ ...START, sort: 'random', seed: '1', image: 3 })).to.equal(false);
    expect(isFiltered({ ...START, q: 'cat' })).to.equal(true);
    expect(isFiltered({ ...START, tags: ['a'] })).to.equal(true);
    expect(isFiltered({ ...START, mediaType: 'image/png' })).to.equal(true);
    expect(isFiltered({ ...START, takenBefore: '2026-05-01T10:00:00Z' })).to.equal(true);
    expect(isFiltered({ ...START, camera: 'EOS R5' })).to.equal(true);
    expect(isFiltered({ ...START, lens: '50mm' })).to.equal(true);
    expect(isFiltered({ ...START, tagged: false })).to.equal(true);
    expect(isFiltered({ ...START, dated: false })).to.equal(true);
  });
});

describe('query of a view', () => {
  it('names the filters that are set', () => {
    const search =
      '?q=black+cat&tags=sofa,tabby&takenAfter=2026-04-30T23:59:59.999Z&takenBefore=2026-06-01T00:00:00Z&mediaType=image/png';
    expect(filtersOf(parseViewState(search))).to.deep.equal({
      q: 'black cat',
      tags: 'sofa,tabby',
      takenAfter: '2026-04-30T23:59:59.999Z',
      takenBefore: '2026-06-01T00:00:00Z',
      mediaType: 'image/png',
    });
    expect(filtersOf(parseViewState('?camera=EOS+R5&lens=50mm&tagged=false&dated=false'))).to.deep.equal({
      camera: 'EOS R5',
      lens: '50mm',
      tagged: false,
      dated: false,
    });
    expect(filtersOf(START)).to.deep.equal({});
  });

  it('names the order', () => {
    expect(listQueryOf(START)).to.deep.equal({ sort: 'taken', order: 'desc' });
    expect(listQueryOf({ ...START, sort: 'added' })).to.deep.equal({ sort: 'created', order: 'desc' });
    expect(listQueryOf({ ...START, sort: 'first-added' })).to.deep.equal({ sort: 'created', order: 'asc' });
    expect(listQueryOf({ ...START, sort: 'random', seed: 'x' })).to.deep.equal({ sort: 'random', seed: 'x' });
  });

  it('has one key for all pictures that the viewer can show in it', () => {
    expect(listKeyOf({ ...START, image: 3 })).to.equal(listKeyOf(START));
    expect(listKeyOf({ ...START, q: 'cat' })).not.to.equal(listKeyOf(START));
  });
});
