import { expect } from 'chai';
import { hammingDistance, hashesOf, isFlat, type Pixels } from '../../src/domain/image/image-hashes.ts';

type Colour = readonly [number, number, number];

/** @param colourAt for positions from 0 to 1 */
function picture(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const x = ((index % width) + 0.5) / width;
    const y = (Math.floor(index / width) + 0.5) / height;
    data.set(colourAt(x, y).map(Math.round), index * 3);
  }
  return { width, height, channels: 3, data };
}

const waves = (x: number, y: number): Colour => {
  const value = 128 + 60 * Math.sin(9 * x + 3 * y) + 40 * Math.cos(7 * y - 4 * x);
  return [value, value * 0.8, value * 0.6];
};

const spots = (x: number, y: number): Colour => {
  const value = 128 + 90 * Math.sin(17 * x) * Math.cos(13 * y + x);
  return [value, value, value];
};

const grey = (): Colour => [128, 128, 128];

describe('hashesOf', () => {
  it('is nearly the same at every size', () => {
    const large = hashesOf(picture(320, 240, waves));
    const small = hashesOf(picture(24, 18, waves));

    expect(hammingDistance(large.dHash, small.dHash)).to.be.at.most(4);
    expect(hammingDistance(large.pHash, small.pHash)).to.be.at.most(4);
  });

  it('differs in about half of the bits for another picture', () => {
    const one = hashesOf(picture(64, 48, waves));
    const other = hashesOf(picture(64, 48, spots));

    expect(hammingDistance(one.dHash, other.dHash)).to.be.above(20);
    expect(hammingDistance(one.pHash, other.pHash)).to.be.above(20);
  });

  it('shows transparent pixels on white', () => {
    const data = new Uint8Array(24 * 24 * 4);

    expect(hashesOf({ width: 24, height: 24, channels: 4, data }).meanColour).to.deep.equal([255, 255, 255]);
  });

  it('takes a picture of one pixel', () => {
    expect(hashesOf(picture(1, 1, grey)).dHash).to.deep.equal([0, 0, 0, 0]);
  });

  it('is flat without structure, even with noise', () => {
    const noisy = picture(
      64,
      48,
      (x, y) => grey().map((value) => value + ((x * 64 + y * 7) % 2)) as unknown as Colour,
    );

    expect(isFlat(hashesOf(picture(64, 48, grey)))).to.equal(true);
    expect(isFlat(hashesOf(noisy))).to.equal(true);
    expect(isFlat(hashesOf(picture(64, 48, waves)))).to.equal(false);
  });

  it('is flat if it only gets lighter from left to right', () => {
    const gradient = picture(64, 48, (x) => [255 * x, 255 * x, 255 * x]);

    expect(isFlat(hashesOf(gradient))).to.equal(true);
  });
});

describe('hammingDistance', () => {
  it('counts the bits that differ', () => {
    expect(hammingDistance([0, 0, 0, 0], [0xffff, 0, 1, 0x8000])).to.equal(18);
  });
});
