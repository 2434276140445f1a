import { expect } from 'chai';
import * as fc from 'fast-check';
import { powerAbove } from '../../src/domain/image/power-above.ts';
import { Shuffle } from '../../src/domain/image/shuffle.ts';

/** Images of the catalog, and parts into which they and the positions are divided. */
const IMAGES = 20_000;
const PARTS = 20;

/** Chi-square with 361 degrees of freedom exceeds this in one of 10,000 cases. */
const CRITICAL = 467;

describe('Shuffle', () => {
  it('is a permutation of each power of two, and knows the position of each number', () => {
    for (let power = 1; power <= 12; power += 1) {
      const shuffle = new Shuffle('seed', power);
      const numbers = Array.from({ length: shuffle.size }, (_, position) => shuffle.at(position));

      expect(new Set(numbers).size).to.equal(2 ** power);
      expect(Math.max(...numbers)).to.equal(2 ** power - 1);
      expect(numbers.map((number) => shuffle.positionOf(number))).to.deep.equal([...numbers.keys()]);
    }
  });

  it('knows positions of numbers up to 53 bits', () => {
    const power = fc.integer({ min: 30, max: 53 });
    fc.assert(
      fc.property(
        power,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.string(),
        (bits, part, seed) => {
          const shuffle = new Shuffle(seed, bits);
          const number = Math.floor(part * shuffle.size);
          expect(shuffle.at(shuffle.positionOf(number))).to.equal(number);
          expect(shuffle.positionOf(number)).to.be.within(0, shuffle.size - 1);
        },
      ),
    );
  });

  for (const seed of ['a', 'b', 'holiday', '1', '2']) {
    it(`spreads 20,000 images evenly over the positions, with seed ${seed}`, () => {
      const shuffle = new Shuffle(seed, powerAbove(IMAGES));
      const order = Array.from({ length: IMAGES }, (_, at) => at + 1).toSorted(
        (a, b) => shuffle.positionOf(a) - shuffle.positionOf(b),
      );
      const cells = Array.from({ length: PARTS * PARTS }, () => 0);
      for (const [at, id] of order.entries()) {
        const cell = Math.floor(((id - 1) * PARTS) / IMAGES) * PARTS + Math.floor((at * PARTS) / IMAGES);
        cells[cell] = (cells[cell] ?? 0) + 1;
      }
      const expected = IMAGES / PARTS ** 2;
      const chiSquare = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);

      expect(chiSquare).to.be.below(CRITICAL);
    });
  }

  it('has a neighbour at another distance for nearly every position', () => {
    const shuffle = new Shuffle('seed', 14);
    const distances = Array.from({ length: 16_383 }, (_, at) => shuffle.at(at + 1) - shuffle.at(at));

    expect(new Set(distances).size).to.be.above(8_000);
  });
});

describe('powerAbove', () => {
  for (const [number, power] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [1_048_575, 20],
    [1_048_576, 21],
  ] as const) {
    it(`of ${number} is ${power}`, () => {
      expect(powerAbove(number)).to.equal(power);
    });
  }
});
