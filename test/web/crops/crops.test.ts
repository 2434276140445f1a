import { expect } from 'chai';
import * as fc from 'fast-check';
import { coverCrop } from '../../../src/domain/image/cover-crop.ts';
import { renditionBox } from '../../../src/domain/image/rendition.ts';
import { cropPosition } from '../../../web/src/catalog/crop-position.ts';
import { focusAfter, focusAt, isSameFocus } from '../../../web/src/crops/focus-point.ts';

const KEY = { shiftKey: false };

describe('the position of a crop', () => {
  it('is the middle without a focus', () => {
    expect(cropPosition({ width: 400, height: 200 }, 1, null)).to.equal('50% 50%');
    expect(cropPosition({ width: 400, height: 200 }, 1, undefined)).to.equal('50% 50%');
  });

  it('stops at the edges', () => {
    expect(cropPosition({ width: 400, height: 200 }, 1, { x: 0.1, y: 0.9 })).to.equal('0% 50%');
    expect(cropPosition({ width: 200, height: 400 }, 1, { x: 0.1, y: 0.9 })).to.equal('50% 100%');
  });

  it('is that of the service, within a pixel', () => {
    const side = fc.integer({ min: 1, max: 10_000 });
    const thousandth = fc.integer({ min: 0, max: 1000 }).map((count) => count / 1000);
    fc.assert(
      fc.property(
        fc.record({ width: side, height: side }),
        fc.constantFrom([320, 320], [1920, 1080], [384, 480], [96, 64]),
        fc.record({ x: thousandth, y: thousandth }),
        (image, [width, height], focus) => {
          const box = renditionBox(image, { width, height, fit: 'cover', format: 'webp', quality: 75 });
          const crop = coverCrop(image, box, focus);
          const [left = 0, top = 0] = cropPosition(image, box.width / box.height, focus)
            .split(' ')
            .map((part) => Number.parseFloat(part) / 100);
          expect(Math.abs(left * (crop.width - box.width) - crop.left)).to.be.at.most(1);
          expect(Math.abs(top * (crop.height - box.height) - crop.top)).to.be.at.most(1);
        },
      ),
    );
  });
});

describe('the focus of a picture', () => {
  const box = { left: 100, top: 50, width: 300, height: 200 } as DOMRectReadOnly;

  it('is where the picture is clicked, in thousandths', () => {
    expect(focusAt(box, 200, 100)).to.deep.equal({ x: 0.333, y: 0.25 });
  });

  it('stays on the picture', () => {
    expect(focusAt(box, 0, 900)).to.deep.equal({ x: 0, y: 1 });
  });

  for (const [key, expected] of [
    ['ArrowLeft', { x: 0.49, y: 0.5 }],
    ['ArrowRight', { x: 0.51, y: 0.5 }],
    ['ArrowUp', { x: 0.5, y: 0.49 }],
    ['ArrowDown', { x: 0.5, y: 0.51 }],
  ] as const) {
    it(`moves from the middle with ${key}`, () => {
      expect(focusAfter(null, { ...KEY, key })).to.deep.equal(expected);
    });
  }

  it('moves further with Shift, up to the edge', () => {
    const key = { key: 'ArrowRight', shiftKey: true };
    expect(focusAfter({ x: 0.555, y: 0 }, key)).to.deep.equal({ x: 0.655, y: 0 });
    expect(focusAfter({ x: 0.955, y: 0 }, key)).to.deep.equal({ x: 1, y: 0 });
  });

  it('is not moved by other keys', () => {
    expect(focusAfter(null, { ...KEY, key: 'Enter' })).to.equal(undefined);
  });

  it('differs from none', () => {
    expect(isSameFocus(null, null)).to.equal(true);
    expect(isSameFocus({ x: 0.5, y: 0.5 }, null)).to.equal(false);
    expect(isSameFocus({ x: 0.5, y: 0.5 }, { y: 0.5, x: 0.5 })).to.equal(true);
  });
});
