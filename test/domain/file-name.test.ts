import { expect } from 'chai';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import { originalFileName } from '../../src/domain/image/original-file-name.ts';
import { renditionFileName } from '../../src/domain/image/rendition.ts';
import { newImage } from '../support/fixtures/new-image.ts';

function fileName(originalName: string, mediaType: MediaType): string {
  return originalFileName(newImage({ originalName, mediaType }));
}

describe('originalFileName', () => {
  const KEPT: ReadonlyArray<readonly [MediaType, readonly string[]]> = [
    ['image/jpeg', ['a.JPEG', 'a.jfif', '猫 🐈.jpeg']],
    ['image/png', ['a.png', 'a.PNG', 'x.html.png', 'a b.png']],
  ];
  for (const [mediaType, names] of KEPT) {
    for (const name of names) {
      it(`keeps ${JSON.stringify(name)} for ${mediaType}`, () => {
        expect(fileName(name, mediaType)).to.equal(name);
      });
    }
  }

  const COMPLETED: ReadonlyArray<readonly [string, MediaType, string]> = [
    ['x.html', 'image/jpeg', 'x.html.jpg'],
    ['cat', 'image/jpeg', 'cat.jpg'],
    ['.jpg', 'image/jpeg', '.jpg.jpg'],
    ['a.apng', 'image/png', 'a.apng.png'],
    ['a.jp\u0261', 'image/jpeg', 'a.jp\u0261.jpg'],
  ];
  for (const [name, mediaType, expected] of COMPLETED) {
    it(`completes ${JSON.stringify(name)} to ${JSON.stringify(expected)} for ${mediaType}`, () => {
      expect(fileName(name, mediaType)).to.equal(expected);
    });
  }

  const LONG: ReadonlyArray<readonly [string, string, string]> = [
    ['one byte', 'a'.repeat(255), `${'a'.repeat(251)}.jpg`],
    ['four bytes', `${'🐈'.repeat(63)}abc`, `${'🐈'.repeat(62)}.jpg`],
    ['one byte with another extension', `${'a'.repeat(250)}.html`, `${'a'.repeat(250)}..jpg`],
  ];
  for (const [what, name, expected] of LONG) {
    it(`cuts a base of characters of ${what} so that the name has at most 255 bytes`, () => {
      expect(fileName(name, 'image/jpeg')).to.equal(expected);
      expect(Buffer.byteLength(expected)).to.be.at.most(255);
    });
  }
});

describe('renditionFileName', () => {
  it('has at most 255 bytes', () => {
    const image = newImage({ originalName: '日'.repeat(85) });

    expect(renditionFileName(image, 'webp')).to.equal(`${'日'.repeat(83)}.webp`);
  });
});
