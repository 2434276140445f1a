import { expect } from 'chai';
import { InvalidOriginalName } from '../../src/domain/errors.ts';
import { ORIGINAL_NAME_MAX_BYTES } from '../../src/domain/image/original-file-name.ts';
import { parseOriginalName } from '../../src/domain/image/parse-original-name.ts';

describe('parseOriginalName', () => {
  const KEPT = ['cat.jpg', '...', 'naïve café – 日本語 العربية.jpg', '👩‍🚀🐈.png', '\u00a0\u00ad\ufeff.png'];
  for (const name of KEPT) {
    it(`returns ${JSON.stringify(name)} unchanged`, () => {
      expect(parseOriginalName(name)).to.equal(name);
    });
  }

  const SEGMENTS: ReadonlyArray<readonly [string, string]> = [
    ['/etc/passwd', 'passwd'],
    ['../../cat.jpg', 'cat.jpg'],
    ['C:\\Users\\me\\cat.jpg', 'cat.jpg'],
    ['a\\b/c', 'c'],
  ];
  for (const [sent, kept] of SEGMENTS) {
    it(`returns the last path segment of ${JSON.stringify(sent)}`, () => {
      expect(parseOriginalName(sent)).to.equal(kept);
    });
  }

  const CONTROLS: ReadonlyArray<readonly [string, string]> = [
    ['NUL', '\u0000'],
    ['US, the last of C0', '\u001f'],
    ['DEL', '\u007f'],
    ['APC, the last of C1', '\u009f'],
  ];
  for (const [control, character] of CONTROLS) {
    it(`removes ${control} at any position`, () => {
      expect(parseOriginalName(`${character}a${character}${character}b.jpg${character}`)).to.equal('ab.jpg');
    });
  }

  for (const sent of ['', '.', '..', 'folder/', 'a\\..', '\u0000', '.\u0000.']) {
    it(`rejects ${JSON.stringify(sent)} as a name`, () => {
      expect(parseOriginalName(sent)).to.equal(undefined);
    });
  }

  const LONGEST: ReadonlyArray<readonly [string, string]> = [
    ['one byte', 'a'.repeat(255)],
    ['two bytes', `${'é'.repeat(127)}a`],
    ['three bytes', '日'.repeat(85)],
    ['four bytes', `${'🐈'.repeat(63)}abc`],
  ];
  for (const [width, name] of LONGEST) {
    it(`keeps a name of 255 bytes made of characters of ${width}`, () => {
      expect(Buffer.byteLength(name)).to.equal(ORIGINAL_NAME_MAX_BYTES);

      expect(parseOriginalName(name)).to.equal(name);
    });

    it(`rejects one byte more, made of characters of ${width}`, () => {
      expect(() => parseOriginalName(`${name}a`))
        .to.throw(InvalidOriginalName)
        .with.property('maxBytes', 255);
    });
  }

  it('replaces half of a surrogate pair by the three bytes that UTF-8 has for it', () => {
    const name = '\ud83d'.repeat(85);

    expect(parseOriginalName(name)).to.equal('\ufffd'.repeat(85));
    expect(() => parseOriginalName(`${name}a`)).to.throw(InvalidOriginalName);
  });
});
