import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Box } from '../../src/domain/image/box.ts';
import {
  defaultFormat,
  derivativeName,
  focusedOn,
  type Rendition,
  type RenditionFit,
  renditionBox,
  renditionFileName,
} from '../../src/domain/image/rendition.ts';
import { newImage } from '../support/fixtures/new-image.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
const FITS = ['inside', 'cover', 'contain'] as const;

function rendition(stated: Partial<Rendition> = {}): Rendition {
  return { fit: 'inside', format: 'webp', quality: 75, ...stated };
}

function box(original: Box, fit: RenditionFit, width?: number, height?: number): readonly number[] {
  const size = renditionBox(original, rendition({ fit, width, height }));
  return [size.width, size.height];
}

describe('renditionBox', () => {
  const LANDSCAPE = { width: 3000, height: 2000 };
  const PORTRAIT = { width: 2000, height: 3000 };
  const SMALL = { width: 100, height: 50 };
  type Row = readonly [Box, number | undefined, number | undefined, number, number];

  function table(fit: RenditionFit, rows: readonly Row[]): void {
    for (const [original, width, height, ...expected] of rows) {
      const asked = `${width ?? 'any'} × ${height ?? 'any'}`;
      it(`makes ${expected.join(' × ')} of ${original.width} × ${original.height} for ${asked}`, () => {
        expect(box(original, fit, width, height)).to.deep.equal(expected);
      });
    }
  }

  describe('inside is the largest size that fits', () => {
    table('inside', [
      [LANDSCAPE, undefined, 320, 480, 320],
      [LANDSCAPE, 320, 320, 320, 213],
      [PORTRAIT, 320, 16, 11, 16],
      [LANDSCAPE, undefined, undefined, 3000, 2000],
      [SMALL, 320, undefined, 100, 50],
      [SMALL, 320, 32, 64, 32],
    ]);
  });

  describe('cover is exactly the box', () => {
    table('cover', [
      [LANDSCAPE, 320, 320, 320, 320],
      [PORTRAIT, 320, 16, 320, 16],
    ]);
  });

  describe('cover is the proportionally smaller box if the original cannot fill it', () => {
    table('cover', [
      [SMALL, 320, 320, 50, 50],
      [SMALL, 640, 320, 100, 50],
      [SMALL, 320, 640, 25, 50],
    ]);
  });

  describe('contain is exactly the box', () => {
    table('contain', [
      [LANDSCAPE, 320, 320, 320, 320],
      [SMALL, 640, 32, 640, 32],
    ]);
  });

  describe('contain is the proportionally smaller box if the original would be enlarged', () => {
    table('contain', [
      [SMALL, 320, 320, 100, 100],
      [SMALL, 640, 320, 100, 50],
      [SMALL, 320, 640, 100, 200],
    ]);
  });

  describe('has at least one pixel per side', () => {
    table('inside', [
      [{ width: 10_000, height: 1 }, 16, undefined, 16, 1],
      [{ width: 1, height: 10_000 }, undefined, 16, 1, 16],
    ]);
    table('cover', [
      [{ width: 10_000, height: 1 }, 16, 320, 1, 1],
      [{ width: 1, height: 10_000 }, 3840, 16, 1, 1],
    ]);
    table('contain', [[{ width: 10_000, height: 1 }, 3840, 16, 3840, 16]]);
  });

  const side = fc.integer({ min: 1, max: 20_000 });
  const original = fc.record({ width: side, height: side });

  it('never enlarges', () => {
    const asked = fc.record({ width: fc.option(side, { nil: undefined }), height: side });
    fc.assert(
      fc.property(original, asked, fc.constantFrom('inside', 'cover' as const), (image, sides, fit) => {
        const whole = fit === 'cover' ? { ...sides, width: sides.width ?? 1 } : sides;
        const size = renditionBox(image, rendition({ ...whole, fit }));
        expect(size.width).to.be.within(1, Math.min(image.width, whole.width ?? image.width));
        expect(size.height).to.be.within(1, Math.min(image.height, whole.height));
      }),
    );
  });

  it('does not enlarge a contained picture, and scales it down only to fit the box', () => {
    fc.assert(
      fc.property(original, side, side, (image, width, height) => {
        const size = renditionBox(image, rendition({ width, height, fit: 'contain' }));
        const fills =
          size.width >= Math.min(width, image.width) || size.height >= Math.min(height, image.height);
        expect(fills).to.equal(true);
        expect(size.width <= width && size.height <= height).to.equal(true);
        expect(Math.min(size.width / image.width, size.height / image.height)).to.be.at.most(1);
      }),
    );
  });
});

describe('derivativeName', () => {
  it('differs if any significant parameter differs', () => {
    const sides = [undefined, 16, 320, 3216, 163];
    const names = sides.flatMap((width) =>
      sides.flatMap((height) =>
        FORMATS.flatMap((format) =>
          (width && height ? FITS : FITS.slice(0, 1)).flatMap((fit) =>
            (format === 'png' ? [75] : [5, 75, 100]).map((quality) =>
              derivativeName({ width, height, fit, format, quality }),
            ),
          ),
        ),
      ),
    );

    expect(new Set(names).size).to.equal(names.length);
  });

  it('has the focus of a crop', () => {
    const crop = rendition({ width: 64, height: 32, fit: 'cover' });

    expect(derivativeName(crop)).to.equal('64x32-cover-q75.webp');
    expect(derivativeName(focusedOn(crop, { x: 0.5, y: 0.25 }))).to.equal('64x32-cover-500x250-q75.webp');
    expect(derivativeName(focusedOn(crop, null))).to.equal('64x32-cover-q75.webp');
  });

  for (const whole of [
    rendition({ width: 64, height: 32 }),
    rendition({ width: 64, height: 32, fit: 'contain' }),
    rendition({ width: 64, fit: 'cover' }),
  ]) {
    it(`has no focus in ${derivativeName(whole)}`, () => {
      expect(derivativeName(focusedOn(whole, { x: 0.5, y: 0.25 }))).to.equal(derivativeName(whole));
    });
  }

  const SAME: ReadonlyArray<readonly [string, Partial<Rendition>, Partial<Rendition>]> = [
    ['the quality of a PNG, which is lossless', { format: 'png', quality: 5 }, { format: 'png' }],
    ['an undefined side', { width: 320, height: undefined }, { width: 320 }],
    ['the fit if only one side is given', { width: 320, fit: 'cover' }, { width: 320 }],
  ];
  for (const [what, one, other] of SAME) {
    it(`leaves out ${what}`, () => {
      expect(derivativeName(rendition(one))).to.equal(derivativeName(rendition(other)));
    });
  }
});

describe('renditionFileName', () => {
  const NAMES: ReadonlyArray<readonly [string, string]> = [
    ['cat.jpg', 'cat.webp'],
    ['cat.JPEG', 'cat.webp'],
    ['archive.tar.gz', 'archive.tar.webp'],
    ['.profile', '.profile.webp'],
  ];
  for (const [originalName, expected] of NAMES) {
    it(`makes ${expected} of ${originalName}`, () => {
      expect(renditionFileName(newImage({ originalName }), 'webp')).to.equal(expected);
    });
  }

  for (const [format, expected] of [
    ['jpeg', 'cat.jpg'],
    ['png', 'cat.png'],
    ['webp', 'cat.webp'],
    ['avif', 'cat.avif'],
  ] as const) {
    it(`ends in the usual extension of ${format}`, () => {
      expect(renditionFileName(newImage({ originalName: 'cat.gif' }), format)).to.equal(expected);
    });
  }
});

describe('A rendition format', () => {
  for (const [mediaType, expected] of [
    ['image/jpeg', 'jpeg'],
    ['image/png', 'png'],
    ['image/webp', 'webp'],
    ['image/gif', 'png'],
  ] as const) {
    it(`is ${expected} for an original of ${mediaType} if no format is requested`, () => {
      expect(defaultFormat(newImage({ mediaType }))).to.equal(expected);
    });
  }
});
