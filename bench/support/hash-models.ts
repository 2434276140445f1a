import { bitCount } from '../../src/domain/image/bit-count.ts';
import type { PerceptualHash } from '../../src/domain/image/image-hashes.ts';
import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';

type Random = () => number;

/** Makes the hash of another picture with each call. */
export type HashModel = (random: Random) => PerceptualHash;

/** Every bit by chance: the model of the theory. */
export function randomHash(random: Random): PerceptualHash {
  return [0, 0, 0, 0].map(() => Math.floor(random() * 0x10000)) as unknown as PerceptualHash;
}

const WAVES = 14;

/**
 * The dHash of a few waves, in which long ones are strong; half of the pictures have a plain upper part. Its bands are more
 * skewed than those of photos: one value of a band has up to 5,000 of a million pictures, instead of 15.
 */
export function skewedHash(random: Random): PerceptualHash {
  const waves = Array.from({ length: WAVES }, () => waveOf(random));
  const plainRows = random() < 0.5 ? random() * 0.7 * 8 : 0;
  const contrast = 0.2 + random();
  const valueAt = (row: number, column: number): number =>
    waves.reduce((sum, wave) => sum + wave(column / 9, row / 8), 0) * contrast * (row < plainRows ? 0.1 : 1);
  const bands = [0, 0, 0, 0];
  for (let bit = 0; bit < 64; bit += 1) {
    const [row, column] = [bit >> 3, bit & 7];
    const band = (row + 2 * column + (column >> 1)) % 4;
    const isRising = valueAt(row, column + 1) > valueAt(row, column) + 1;
    bands[band] = (bands[band] as number) * 2 + Number(isRising);
  }
  return bands as unknown as PerceptualHash;
}

function waveOf(random: Random): (x: number, y: number) => number {
  const [perX, perY, phase] = [6 * normal(random), 6 * normal(random), 7 * random()];
  const strength = (40 * Math.abs(normal(random))) / (Math.hypot(perX, perY) / 3 + 0.3);
  return (x, y) => strength * Math.cos(perX * x + perY * y + phase);
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

/** The same for the same seed; without flat ones. */
export function hashesOf(model: HashModel, seed: number): () => PerceptualHash {
  const random = randomNumbers(seed);
  return () => {
    for (;;) {
      const hash = model(random);
      const bits = hash.reduce((sum, band) => sum + bitCount(band), 0);
      if (bits >= 8 && bits <= 56) return hash;
    }
  };
}
