import { expect } from 'chai';
import { indexWords, searchWords } from '../../src/domain/image/words/words.ts';

describe('indexWords', () => {
  const CASES: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['Black cats, black dogs', ['black', 'cats', 'dogs']],
    ['IMG_1234-a.JPG', ['img', '1234', 'a', 'jpg']],
    ['DSC01234', ['dsc01234', 'dsc', '01234']],
    ['PowerShotG7', ['powershotg7', 'power', 'shot', 'g', '7']],
    ['cafe\u0301Bar', ['cafebar', 'cafe', 'bar']],
    ['½ ﬁ', ['1', '2', 'fi']],
    ['東京都庁', ['東京', '京都', '都庁', '庁']],
    ['東', ['東']],
    ['東京tower', ['東京', '京', 'tower']],
    ['한국', ['한국', '국'].map((word) => word.normalize('NFKD'))],
    ['👩‍🚀 * "', []],
    ['\u0301\u0301', []],
  ];
  for (const [text, words] of CASES) {
    it(`of "${text}" are ${words.length}`, () => {
      expect([...indexWords([text])]).to.deep.equal(words);
    });
  }
});

describe('A text of thousands of characters', () => {
  it('has no long run of marks normalized, which would take quadratic time', () => {
    const marks = '\u0301'.repeat(2_000) + '\u0327'.repeat(2_000);

    const { words, normalized } = indexed(`a${marks}b tail`);

    expect([...words]).to.deep.equal(['ab', 'tail']);
    for (const text of normalized) expect(text).not.to.match(/\p{M}{31}/u);
  });

  it('has no long run of halfwidth voiced sound marks normalized, which become marks', () => {
    const { normalized } = indexed('か' + '\uff9e\u0301'.repeat(2_000));

    for (const text of normalized) expect(text).not.to.match(/[\p{M}\uff9e]{31}/u);
  });

  it('has a word folded once that it repeats', () => {
    for (const text of ['\ufdfa'.repeat(1_000), '\u3300'.repeat(1_000)]) {
      const { words, normalized } = indexed(text);

      expect(words.size).to.be.within(4, 10);
      expect(normalized).to.have.length.below(20);
    }
  });
});

/** With all texts that were normalized for it. */
function indexed(text: string): {
  readonly words: ReadonlySet<string>;
  readonly normalized: readonly string[];
} {
  const texts: { normalize: string['normalize'] } = String.prototype;
  const proceed = Reflect.get(texts, 'normalize');
  const normalized: string[] = [];
  texts.normalize = function (this: string, form?: string) {
    normalized.push(this);
    return proceed.call(this, form);
  };
  try {
    return { words: indexWords([text]), normalized };
  } finally {
    texts.normalize = proceed;
  }
}

describe('searchWords', () => {
  const CASES: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['DSC01234', ['dsc01234']],
    ['ca cat cats', ['cats']],
    ['cats dog ca do', ['cats', 'dog']],
    ['東京都', ['東京', '京都']],
    ['東', ['東']],
    ['"a" OR -b*', ['a', 'or', 'b']],
    [' _-* ', []],
  ];
  for (const [text, words] of CASES) {
    it(`of "${text}" are ${words.length}`, () => {
      expect(searchWords(text)).to.deep.equal(words);
    });
  }
});
