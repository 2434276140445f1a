import { expect } from 'chai';
import { ImageBeyondLimits, InvalidImage } from '../../../src/domain/errors.ts';
import { decodeExcess } from '../../../src/domain/image/decode-excess.ts';
import { PICTURE_CAUSES } from '../../../src/domain/image/picture-faults.ts';
import { pictureRefusal } from '../../../web/src/upload/picture-refusal.ts';
import { rowText } from '../../../web/src/upload/upload-words.ts';

const STRUCTURE = {
  width: 10,
  height: 10,
  frames: 1,
  scans: 1,
  segments: 0,
  metadataBytes: 0,
  compressedChunks: 0,
  arithmeticBytes: 0,
};
const LIMITS = { maxPixels: 65_000_000, maxFramePixels: 250_000_000 };

function messageOf(found: Partial<typeof STRUCTURE>): string {
  const excess = decodeExcess({ ...STRUCTURE, ...found }, 'image/jpeg', LIMITS) as string;
  return new ImageBeyondLimits('image/jpeg', excess).message;
}

describe('the refusal of a picture', () => {
  for (const cause of PICTURE_CAUSES) {
    it(`has a sentence of its own for the cause ${cause}`, () => {
      const { reason } = pictureRefusal(new InvalidImage('image/jpeg', { cause, at: 7 }).message);
      expect(reason).to.equal(
        /^(?:jpeg_(?:12_)?bits|jpeg_lossless|jpeg_hierarchical|png_of_apple)$/.test(cause)
          ? 'unusual_image'
          : 'damaged_image',
      );
    });
  }

  it('names both numbers if the picture has too many pixels', () => {
    const state = {
      kind: 'refused',
      ...pictureRefusal(messageOf({ width: 10_000, height: 8_000 })),
    } as const;

    expect(state).to.include({ reason: 'too_many_pixels', pixels: 80_000_000, allowed: 65_000_000 });
    expect(rowText(state, 1, ['jpeg']))
      .to.include('80,000,000')
      .and.include('65,000,000');
  });

  it('counts the pixels of all frames of an animation', () => {
    const refusal = pictureRefusal(messageOf({ width: 1_000, height: 1_000, frames: 300 }));

    expect(refusal).to.include({ reason: 'too_many_pixels', pixels: 300_000_000, allowed: 250_000_000 });
  });

  for (const found of [
    { scans: 101 },
    { width: 70_000 },
    { arithmeticBytes: 20_000_000 },
    { frames: 3_000 },
  ]) {
    it(`calls a picture unusual that is refused for ${JSON.stringify(found)}`, () => {
      expect(pictureRefusal(messageOf(found))).to.deep.equal({ reason: 'unusual_image' });
    });
  }

  it('has a general sentence for other messages', () => {
    expect(pictureRefusal('planted')).to.deep.equal({ reason: 'invalid_image' });
  });
});
