import { expect } from 'chai';
import { mediaTypeOf, SIGNATURE_BYTES } from '../../src/domain/image/media-type-of.ts';
import { jpegBytes, pngBytes } from '../support/fixtures/bytes.ts';

const PNG_SIGNATURE_BYTES = 8;

const encoder = new TextEncoder();

describe('mediaTypeOf', () => {
  for (const marker of [0xdb, 0xc0, 0xc4, 0xe0, 0xe1, 0xee, 0xfe]) {
    it(`detects a JPEG that continues with the marker ff ${marker.toString(16)}`, () => {
      expect(mediaTypeOf(Uint8Array.of(0xff, 0xd8, 0xff, marker))).to.equal('image/jpeg');
    });
  }

  for (const version of ['87a', '89a']) {
    it(`detects a GIF of version ${version}`, () => {
      expect(mediaTypeOf(encoder.encode(`GIF${version}\u0001\u0000`))).to.equal('image/gif');
    });
  }

  it('detects a WebP by the form of its RIFF file, whatever its size', () => {
    expect(mediaTypeOf(encoder.encode('RIFF\u0004\u0000\n\u0000WEBPVP8 '))).to.equal('image/webp');
  });

  it('needs no more than SIGNATURE_BYTES', () => {
    expect(mediaTypeOf(pngBytes().slice(0, SIGNATURE_BYTES))).to.equal('image/png');
    expect(mediaTypeOf(jpegBytes().slice(0, SIGNATURE_BYTES))).to.equal('image/jpeg');
  });

  for (let length = 0; length < PNG_SIGNATURE_BYTES; length += 1) {
    it(`does not detect a PNG in its first ${length} bytes`, () => {
      expect(mediaTypeOf(pngBytes().slice(0, length))).to.equal(undefined);
    });
  }

  for (let index = 0; index < PNG_SIGNATURE_BYTES; index += 1) {
    it(`does not detect a PNG with another byte ${index}`, () => {
      const bytes = pngBytes();
      bytes[index] = (bytes[index] ?? 0) ^ 1;

      expect(mediaTypeOf(bytes)).to.equal(undefined);
    });
  }

  it('does not detect a type after a leading byte', () => {
    expect(mediaTypeOf(Uint8Array.of(0, ...jpegBytes()))).to.equal(undefined);
    expect(mediaTypeOf(Uint8Array.of(0, ...pngBytes()))).to.equal(undefined);
  });

  const OTHERS: ReadonlyArray<readonly [string, Uint8Array]> = [
    ['an empty file', new Uint8Array()],
    ['SOI alone', Uint8Array.of(0xff, 0xd8)],
    ['a GIF of another version', encoder.encode('GIF88a\u0001\u0000')],
    ['a WAV', encoder.encode('RIFF\u0004\u0000\u0000\u0000WAVEfmt ')],
    ['RIFF alone', encoder.encode('RIFF\u0004\u0000\u0000\u0000WEB')],
    ['an SVG', encoder.encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF', encoder.encode('%PDF-1.7')],
    ['an AVIF', encoder.encode('\u0000\u0000\u0000\u001cftypavif')],
    ['an MNG', Uint8Array.of(0x8a, 0x4d, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ['a PNG whose line ends were converted', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a, 0x00)],
  ];
  for (const [what, bytes] of OTHERS) {
    it(`detects no type in ${what}`, () => {
      expect(mediaTypeOf(bytes)).to.equal(undefined);
    });
  }
});
