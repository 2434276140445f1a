import { expect } from 'chai';
import { bytesLeft } from '../../src/domain/space/bytes-left.ts';
import { isWithin } from '../../src/domain/space/is-within.ts';
import { NO_LIMITS, NOTHING, parseSpace } from '../../src/domain/space/space.ts';

describe('parseSpace', () => {
  for (const [what, value] of [
    ['a name', 'cats'],
    ['a space alone', ' '],
    ['another normal form', 'cafe\u0301'],
    ['255 code points in 510 UTF-16 units', '🐈'.repeat(255)],
  ] as const) {
    it(`takes ${what} as it is`, () => {
      expect(parseSpace(value)).to.equal(value);
    });
  }

  for (const [what, value] of [
    ['an empty string', ''],
    ['256 code points', 'c'.repeat(256)],
    ['a line feed', 'cats\n'],
    ['a lone surrogate', 'cats\ud83d'],
    ['a number', 7],
    ['a list with a name', ['cats']],
    ['null', null],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(parseSpace(value)).to.equal(undefined);
    });
  }
});

describe('isWithin', () => {
  const limits = { images: 2, bytes: 10 };

  for (const [amount, expected] of [
    [{ images: 2, bytes: 10 }, true],
    [{ images: 3, bytes: 10 }, false],
    [{ images: 2, bytes: 11 }, false],
  ] as const) {
    it(`of 2 images and 10 bytes is ${expected} for ${amount.images} and ${amount.bytes}`, () => {
      expect(isWithin(amount, limits)).to.equal(expected);
      expect(isWithin(amount, NO_LIMITS)).to.equal(true);
    });
  }

  it('takes 0 for a limit', () => {
    expect(isWithin({ images: 1, bytes: 0 }, { images: 0, bytes: null })).to.equal(false);
    expect(isWithin(NOTHING, { images: 0, bytes: 0 })).to.equal(true);
  });
});

describe('bytesLeft', () => {
  const usage = { images: 1, bytes: 6, trashed: { images: 1, bytes: 3 } };

  for (const [limit, expected] of [
    [null, Number.POSITIVE_INFINITY],
    [10, 1],
    [9, 0],
    [5, 0],
    [0, 0],
  ] as const) {
    it(`is ${expected} of ${limit} with 6 bytes, and 3 in the trash`, () => {
      expect(bytesLeft({ ...usage, limits: { images: 0, bytes: limit } })).to.equal(expected);
    });
  }
});
