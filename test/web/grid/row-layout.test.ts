import { expect } from 'chai';
import { layoutRows, type RowShape } from '../../../web/src/grid/layout/row-layout.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';

const SHAPE: RowShape = { width: 1200, rowHeight: 220, gap: 8 };
const random = randomNumbers(3);

describe('justified rows', () => {
  it('reach the right edge with all pictures of a row at one height', () => {
    const { boxes, rows } = layoutRows(someRatios(200), SHAPE, false);

    for (const { first, count, height } of rows) {
      const row = boxes.slice(first, first + count);
      expect(row.map((box) => box.height)).to.deep.equal(row.map(() => height));
      expect(rightOf(row.at(-1))).to.be.closeTo(SHAPE.width, 0);
    }
  });

  it('keep one gap between pictures and between rows', () => {
    const { boxes, rows } = layoutRows(someRatios(200), SHAPE, false);

    for (const [index, { first, count, top }] of rows.entries()) {
      for (let at = first + 1; at < first + count; at += 1) {
        expect((boxes[at]?.x ?? 0) - rightOf(boxes[at - 1])).to.equal(SHAPE.gap);
      }
      const above = rows[index - 1];
      if (above !== undefined) expect(top - above.top - above.height).to.equal(SHAPE.gap);
    }
  });

  it('have heights near to the wanted one', () => {
    const { rows } = layoutRows(someRatios(500), SHAPE, false);

    for (const { height } of rows) expect(height).to.be.within(220 * 0.6, 220 * 1.6);
  });

  it('are full up to the last one inside of a section', () => {
    for (let count = 20; count < 60; count += 1) {
      const { boxes } = layoutRows(someRatios(count), SHAPE, false);
      expect(rightOf(boxes.at(-1))).to.equal(SHAPE.width);
    }
  });

  it('end with a row of the wanted height at the end of a section', () => {
    const { rows, boxes } = layoutRows([1.5], SHAPE, true);

    expect(rows).to.deep.equal([{ top: 0, height: 220, first: 0, count: 1 }]);
    expect(boxes).to.deep.equal([{ x: 0, y: 0, width: 330, height: 220 }]);
  });

  it('hold every picture once, and nothing for no pictures', () => {
    const { rows, boxes } = layoutRows(someRatios(123), SHAPE, true);

    expect(boxes).to.have.lengthOf(123);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).to.equal(123);
    expect(layoutRows([], SHAPE, true)).to.deep.equal({ boxes: [], rows: [], height: 0 });
  });

  it('reach the right edge on a phone too, if that crops a picture by no more than a third', () => {
    const phone = { width: 358, rowHeight: 140, gap: 4 };

    expect(layoutRows([1], phone, false).boxes).to.deep.equal([{ x: 0, y: 0, width: 358, height: 252 }]);
    expect(layoutRows([0.5], phone, false).boxes).to.deep.equal([{ x: 0, y: 0, width: 189, height: 252 }]);
  });

  it('crop panoramas and strips to shapes that fit, on a phone too', () => {
    const phone = { width: 320, rowHeight: 140, gap: 4 };
    const { rows, boxes } = layoutRows([40, 1 / 40, 40, 1, 1], phone, false);

    for (const { height } of rows) expect(height).to.be.within(84, 252);
    for (const box of boxes) expect(rightOf(box)).to.be.at.most(phone.width);
  });

  function someRatios(count: number): readonly number[] {
    return Array.from({ length: count }, () => 0.5 + random() * 1.5);
  }
});

function rightOf(box: { readonly x: number; readonly width: number } | undefined): number {
  return box === undefined ? 0 : box.x + box.width;
}
