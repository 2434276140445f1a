import { expect } from 'chai';
import { type Capture, NO_CAPTURE } from '../../src/domain/image/image-metadata.ts';
import { kindOf, type Look } from '../../src/domain/image/similar-kind.ts';
import { flipped, imageHashes } from '../support/fixtures/image-hashes.ts';

const CAMERA: Capture = {
  ...NO_CAPTURE,
  make: 'Canon',
  model: 'R5',
  takenAt: '2026-01-01T10:00:00.000+01:00',
};
const SHOT: Look = {
  image: { sha256: 'a'.repeat(64), width: 4000, height: 3000 },
  capture: CAMERA,
  hashes: imageHashes({ meanColour: [100, 100, 100] }),
};

/** Another file, without capture. */
function look({
  image = {},
  ...stated
}: Omit<Partial<Look>, 'image'> & { image?: Partial<Look['image']> }): Look {
  return {
    ...SHOT,
    capture: NO_CAPTURE,
    ...stated,
    image: { ...SHOT.image, sha256: 'b'.repeat(64), ...image },
  };
}

function shotAt(takenAt: string | null, stated: Partial<Capture> = {}): Look {
  return look({ capture: { ...CAMERA, takenAt, ...stated } });
}

describe('kindOf', () => {
  for (const [what, other] of [
    ['1 ms later', shotAt('2026-01-01T10:00:00.001+01:00')],
    ['3 s earlier', shotAt('2026-01-01T09:59:57.000+01:00')],
    ['a second later by another offset', shotAt('2026-01-01T11:00:01.000+02:00')],
    ['a second later by a clock without offset', shotAt('2026-01-01T10:00:01.000')],
  ] as const) {
    it(`is a burst ${what}, even if it looks like a copy`, () => {
      expect(kindOf(SHOT, other)).to.equal('burst');
      expect(kindOf(other, SHOT)).to.equal('burst');
    });
  }

  for (const [what, other] of [
    ['at the same time', shotAt('2026-01-01T10:00:00.000+01:00')],
    ['3,001 ms later', shotAt('2026-01-01T10:00:03.001+01:00')],
    ['an hour later by another offset', shotAt('2026-01-01T10:00:01.000+00:00')],
    ['of another model', shotAt('2026-01-01T10:00:01.000+01:00', { model: 'R6' })],
    ['of an unknown make', shotAt('2026-01-01T10:00:01.000+01:00', { make: null })],
  ] as const) {
    it(`is no burst ${what}`, () => {
      expect(kindOf(SHOT, other)).to.equal('copy');
    });
  }

  it('is no burst of unknown cameras', () => {
    const [one, other] = [{ model: null }, { model: null }].map((stated, index) =>
      shotAt(`2026-01-01T10:00:0${index}.000`, stated),
    );

    expect(kindOf(one as Look, other as Look)).to.equal('copy');
  });

  it('is a copy if the bytes are the same, whatever the rest', () => {
    const { sha256 } = SHOT.image;
    expect(kindOf(SHOT, look({ image: { sha256 }, hashes: undefined }))).to.equal('copy');
  });

  for (const [what, other, kind] of [
    ['wider by 2 %', look({ image: { width: 4080 } }), 'copy'],
    ['wider by 3 %', look({ image: { width: 4120 } }), 'similar'],
    ['higher by 3 %', look({ image: { height: 3090 } }), 'similar'],
    ['of another orientation', look({ image: { width: 3000, height: 4000 } }), 'similar'],
    ['with 10 other bits', otherHash(10), 'copy'],
    ['with 11 other bits', otherHash(11), 'similar'],
    ['redder by 8', colour([108, 100, 100]), 'copy'],
    ['bluer by 9', colour([100, 100, 91]), 'similar'],
    ['of unknown looks', look({ hashes: undefined }), 'similar'],
  ] as const) {
    it(`is ${kind} for a picture ${what}`, () => {
      expect(kindOf(SHOT, other)).to.equal(kind);
      expect(kindOf(other, SHOT)).to.equal(kind);
    });
  }
});

function otherHash(bits: number): Look {
  const { pHash } = imageHashes();
  const other = flipped(
    pHash,
    Array.from({ length: bits }, (_, bit) => bit * 5),
  );
  return look({ hashes: imageHashes({ pHash: other, meanColour: [100, 100, 100] }) });
}

function colour(meanColour: readonly [number, number, number]): Look {
  return look({ hashes: imageHashes({ meanColour }) });
}
