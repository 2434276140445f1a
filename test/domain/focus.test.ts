import { expect } from 'chai';
import * as fc from 'fast-check';
import { InvalidMetadata } from '../../src/domain/errors.ts';
import { coverCrop } from '../../src/domain/image/cover-crop.ts';
import { type Focus, focusText, parseFocus, parseFocusText } from '../../src/domain/image/focus.ts';
import { renditionBox } from '../../src/domain/image/rendition.ts';

const thousandths = fc.integer({ min: 0, max: 1000 }).map((count) => count / 1000);
const focus = fc.record({ x: thousandths, y: thousandths });

describe('parseFocus', () => {
  const REFUSED: ReadonlyArray<readonly [string, unknown]> = [
    ['text', '0.5x0.5'],
    ['null for one of them', { x: 0.5, y: null }],
    ['a point above the picture', { x: 0.5, y: -0.001 }],
    ['a point to the right of the picture', { x: 1.001, y: 0.5 }],
    ['four decimals', { x: 0.5, y: 0.1234 }],
    ['no number', { x: Number.NaN, y: 0 }],
  ];
  for (const [what, value] of REFUSED) {
    it(`refuses ${what}`, () => {
      expect(() => parseFocus(value))
        .to.throw(InvalidMetadata)
        .with.property('field', 'focus');
    });
  }

  it('accepts every thousandth of both sides', () => {
    fc.assert(
      fc.property(focus, (value) => {
        expect(parseFocus(value)).to.deep.equal(value);
      }),
    );
  });

  it('has no negative zero', () => {
    expect(Object.is(parseFocus({ x: -0, y: 1 }).x, 0)).to.equal(true);
  });
});

describe('focusText', () => {
  it('is read again', () => {
    fc.assert(
      fc.property(focus, (value) => {
        expect(parseFocusText(focusText(value))).to.deep.equal(value);
      }),
    );
  });

  for (const text of ['', '500x', '0500x250', '500x1001', ' 1x1']) {
    it(`is never ${JSON.stringify(text)}`, () => {
      expect(parseFocusText(text)).to.equal(undefined);
    });
  }
});

describe('coverCrop', () => {
  const IMAGE = { width: 400, height: 200 };
  const SQUARE = { width: 100, height: 100 };
  const MIDDLE: Focus = { x: 0.5, y: 0.5 };

  it('resizes the image until it fills the box', () => {
    expect(coverCrop(IMAGE, SQUARE, MIDDLE)).to.deep.equal({ width: 200, height: 100, left: 50, top: 0 });
    const portrait = { width: 200, height: 400 };
    expect(coverCrop(portrait, SQUARE, MIDDLE)).to.deep.equal({ width: 100, height: 200, left: 0, top: 50 });
  });

  it('keeps the focus in the middle', () => {
    expect(coverCrop(IMAGE, SQUARE, { x: 0.4, y: 0.9 })).to.include({ left: 30, top: 0 });
  });

  it('stays inside the image, and keeps the focus as near to the middle as the edges allow', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    const image = fc.record({ width: side, height: side });
    fc.assert(
      fc.property(image, side, side, focus, (original, width, height, point) => {
        const box = renditionBox(original, { width, height, fit: 'cover', format: 'webp', quality: 75 });
        const crop = coverCrop(original, box, point);
        for (const [whole, part, start, at] of [
          [crop.width, box.width, crop.left, point.x],
          [crop.height, box.height, crop.top, point.y],
        ] as const) {
          expect(start).to.be.within(0, whole - part);
          const offCentre = Math.abs(start + part / 2 - whole * at);
          const isAtEdge = start === 0 || start === whole - part;
          expect(offCentre <= 0.5 + 1e-9 || isAtEdge).to.equal(true);
        }
        expect(Math.min(crop.width - box.width, crop.height - box.height)).to.equal(0);
      }),
    );
  });
});
