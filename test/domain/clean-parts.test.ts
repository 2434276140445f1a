import { expect } from 'chai';
import {
  bytesOfParts,
  type CleanPart,
  MAX_KEPT_RANGES,
  MAX_WRITTEN_BYTES,
  requireCleanParts,
  sliceOfParts,
} from '../../src/domain/image/clean-parts.ts';

const BYTES = 1_000_000;
const PARTS: readonly CleanPart[] = [[0, 10], 'abc', [20, 25], [30, 40]];

describe('the parts of a clean file', () => {
  it('are ranges that ascend, and bytes', () => {
    expect(requireCleanParts(PARTS, 40)).to.equal(PARTS);
    expect(bytesOfParts(PARTS)).to.equal(28);
  });

  for (const [title, parts] of [
    ['beyond the end', [[0, BYTES + 1]]],
    [
      'in another order',
      [
        [10, 20],
        [0, 5],
      ],
    ],
    [
      'that overlap',
      [
        [0, 10],
        [9, 20],
      ],
    ],
    ['that are empty', [[5, 5]]],
    ['between bytes', [[0.5, 5]]],
    ['of other characters', ['\u0100']],
    ['that are no list', 'abc'],
    ['that are too many', Array.from({ length: MAX_KEPT_RANGES + 1 }, (_, at) => [2 * at, 2 * at + 1])],
    ['with too many other bytes', ['a'.repeat(MAX_WRITTEN_BYTES), [0, 5], 'a']],
  ] as const) {
    it(`are refused ${title}`, () => {
      expect(() => requireCleanParts(parts, BYTES)).to.throw();
    });
  }

  it('are cut to a range of the clean file', () => {
    expect(sliceOfParts(PARTS, 0, 28)).to.deep.equal(PARTS);
    expect(sliceOfParts(PARTS, 9, 12)).to.deep.equal([[9, 10], 'ab']);
    expect(sliceOfParts(PARTS, 13, 19)).to.deep.equal([
      [20, 25],
      [30, 31],
    ]);
    expect(sliceOfParts(PARTS, 11, 12)).to.deep.equal(['b']);
  });
});
