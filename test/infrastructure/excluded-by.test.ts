import { expect } from 'chai';
import { UsageError } from '../../src/infrastructure/commands/command-line/usage-error.ts';
import { excludedBy } from '../../src/infrastructure/commands/import/excluded-by.ts';

describe('excludedBy', () => {
  for (const [pattern, path, matches] of [
    ['*.tif', 'a.tif', true],
    ['*.tif', 'deep/below/a.tif', true],
    ['*.tif', 'a.tiff', false],
    ['raw', 'sub/raw', true],
    ['raw', 'raws', false],
    ['raw/', 'raw', true],
    ['./raw', 'raw', true],
    ['B\u00fccher', 'Bu\u0308cher', true],
    ['Bu\u0308cher', 'B\u00fccher', true],
    ['raw/**', 'raw/a.png', true],
    ['raw/**', 'sub/raw/a.png', false],
    ['**/raw/**', 'sub/raw/deep/a.png', true],
    ['#keep', '#keep', true],
    ['!a.png', 'b.png', false],
    ['!a.png', '!a.png', true],
    ['*', '.hidden', true],
    ['IMG_[0-9][0-9].jpg', 'IMG_42.jpg', true],
  ] as const) {
    it(`${matches ? 'excludes' : 'takes'} ${path} with ${pattern}`, () => {
      expect(excludedBy(['other', pattern])(path)).to.equal(matches);
    });
  }

  it('excludes nothing without a pattern', () => {
    expect(excludedBy([])('a.png')).to.equal(false);
  });

  for (const pattern of ['', '/', './', '.', 'a/./raw', '/home/me/raw', '../raw', 'a/../raw']) {
    it(`refuses ${JSON.stringify(pattern)}, which no path below the folder matches`, () => {
      expect(() => excludedBy([pattern])).to.throw(UsageError, 'patterns are relative to FOLDER');
    });
  }
});
