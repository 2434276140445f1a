import { expect } from 'chai';
import { foldTag } from '../../../web/src/tags/fold-tag.ts';
import { newSuggestions } from '../../../web/src/tags/new-suggestions.ts';
import { enterTags } from '../../../web/src/tags/tag-entry.ts';

describe('entering tags', () => {
  it('splits at commas and line ends, and trims', () => {
    const { added, rest } = enterTags(' black cat, tabby\nZoë ,,', []);

    expect(added).to.deep.equal(['black cat', 'tabby', 'Zoë']);
    expect(rest).to.equal('');
  });

  it('leaves out twins of those that are there, and of each other', () => {
    expect(enterTags('CAT, zoe, Dog, dog', ['cat', 'Zoë']).added).to.deep.equal(['Dog']);
  });

  it('counts code points, and keeps what is too long in the field', () => {
    const longest = '😺'.repeat(64);

    expect(enterTags(`${longest}, ${longest}x, cat`, [])).to.deep.equal({
      added: [longest, 'cat'],
      rest: `${longest}x`,
      problem: 'too-long',
    });
  });

  it('adds no more than 100 in all', () => {
    const present = Array.from({ length: 99 }, (_, index) => `t${index}`);

    expect(enterTags('a, b, c', present)).to.deep.equal({ added: ['a'], rest: 'b, c', problem: 'too-many' });
  });

  it('suggests only what is not there', () => {
    const suggestions = [{ tag: 'Café' }, { tag: 'cat' }];

    expect(newSuggestions(suggestions, ['cafe'])).to.deep.equal([{ tag: 'cat' }]);
  });

  it('folds case and accents', () => {
    expect(foldTag('ÉCOLE')).to.equal('ecole');
  });
});
