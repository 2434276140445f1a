import { expect } from 'chai';
import { mediaTypeOf } from '../../src/domain/image/media-type-of.ts';
import { pngBytes } from '../support/fixtures/bytes.ts';

const PNG_SIGNATURE_BYTES = 8;

const encoder = new TextEncoder();

describe('mediaTypeOf', () => {
  for (let index = 0; index < PNG_SIGNATURE_BYTES; index += 1) {
    it(`does not detect a PNG with another byte ${index}`, () => {
      const bytes = pngBytes();
      bytes[index] = (bytes[index] ?? 0) ^ 1;

      expect(mediaTypeOf(bytes)).to.equal(undefined);
    });
  }

  const FILES: ReadonlyArray<readonly [string, Uint8Array, string | undefined]> = [
    ['a JPEG with another marker', Uint8Array.of(0xff, 0xd8, 0xff, 0xdb), 'image/jpeg'],
    ['SOI alone', Uint8Array.of(0xff, 0xd8), undefined],
    ['a GIF of version 87a', encoder.encode('GIF87a\u0001\u0000'), 'image/gif'],
    ['a GIF of another version', encoder.encode('GIF88a\u0001\u0000'), undefined],
    ['a WebP of another size', encoder.encode('RIFF\u0004\u0000\n\u0000WEBPVP8 '), 'image/webp'],
    ['a WAV', encoder.encode('RIFF\u0004\u0000\u0000\u0000WAVEfmt '), undefined],
  ];
  for (const [what, bytes, mediaType] of FILES) {
    it(`detects ${mediaType ?? 'no type'} in ${what}`, () => {
      expect(mediaTypeOf(bytes)).to.equal(mediaType);
    });
  }
});
