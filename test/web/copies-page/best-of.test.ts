import { expect } from 'chai';
import { bestOf } from '../../../web/src/copies-page/best-of.ts';
import { losesWords } from '../../../web/src/copies-page/loses-words.ts';

interface Copy {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly title: string | null;
  readonly tags: readonly string[];
}

function copy(id: number, stated: Partial<Copy> = {}): Copy {
  return { id, width: 40, height: 30, size: 1000, title: null, tags: [], ...stated };
}

describe('bestOf', () => {
  const plain = copy(1);

  for (const [what, best] of [
    ['more pixels, although it is smaller', copy(2, { width: 50, size: 10 })],
    ['as many pixels and more bytes', copy(2, { size: 1001 })],
    ['as large and a title', copy(2, { title: 'Cat' })],
    ['as large and a tag', copy(2, { tags: ['cat'] })],
  ] as const) {
    it(`is the copy with ${what}`, () => {
      expect(bestOf([plain, best])).to.equal(best);
      expect(bestOf([best, plain])).to.equal(best);
    });
  }

  it('is the oldest of equal ones', () => {
    expect(bestOf([copy(3), plain, copy(2)])).to.equal(plain);
  });
});

describe('losesWords', () => {
  it('says whether the others have a title or tags that the kept one lacks', () => {
    const kept = copy(1, { title: 'Cat', tags: ['cat', 'pet'] });

    expect(losesWords(kept, [kept, copy(2), copy(3, { title: 'Cat', tags: ['pet'] })])).to.equal(false);
    expect(losesWords(kept, [kept, copy(2, { tags: ['garden'] })])).to.equal(true);
    expect(losesWords(kept, [kept, copy(2, { title: 'Dog' })])).to.equal(true);
  });
});
