import { expect } from 'chai';
import { compareCodePoints } from '../../src/domain/image/words/compare-code-points.ts';
import { fold } from '../../src/domain/image/words/fold.ts';

describe('fold', () => {
  const CASES: ReadonlyArray<readonly [string, string]> = [
    ['Black CAT', 'black cat'],
    ['Café', 'cafe'],
    ['ŁÓDŹ', 'lodz'],
    ['Ø đ Ð þ ß æ Œ ı Ħ ŧ', 'o d d th ss ae oe i h t'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁ ① ½', 'fi 1 1⁄2'],
    ['\uF900', '豈'],
    ['\u0301', ''],
  ];
  for (const [text, folded] of CASES) {
    it(`turns "${text}" into "${folded}", which stays the same`, () => {
      expect(fold(text)).to.equal(folded);
      expect(fold(folded)).to.equal(folded);
    });
  }
});

describe('compareCodePoints', () => {
  it('sorts characters beyond the basic plane behind all others', () => {
    const sorted = ['', 'a', 'ab', 'b', 'é', '\u{FFFD}', '🐈', '🐈a'];

    expect(sorted.toReversed().toSorted(compareCodePoints)).to.deep.equal(sorted);
    expect(['\u{FFFD}', '🐈'].toSorted()).to.deep.equal(['🐈', '\u{FFFD}']);
  });
});
