import { bitCount } from './bit-count.ts';
import type { Box } from './box.ts';

/** Upright sRGB, row by row. */
export interface Pixels extends Box {
  /** Bytes a pixel: RGB or RGBA. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/**
 * 64 bits as four bands of 16 bits, so that every database can hold and index them. Neighbours in the image are in different
 * bands: otherwise a plain sky would give many images the same band.
 */
export type PerceptualHash = readonly [number, number, number, number];

/** How an image looks, whatever its size, format and compression. */
export interface ImageHashes {
  /** Signs of the differences between neighbours in a row. */
  readonly dHash: PerceptualHash;
  /** Low frequencies above their median; slower to match by chance than `dHash`. */
  readonly pHash: PerceptualHash;
  /** Red, green and blue, 0 to 255. */
  readonly meanColour: readonly [number, number, number];
}

const BANDS = 4;
const BITS_PER_BAND = 16;

/** A row of nine values has eight differences. */
const DHASH_COLUMNS = 9;

const DHASH_ROWS = 8;

const DCT_SIDE = 32;
const FREQUENCIES = 8;

/** Steps of 255 below which two values count as equal: noise and compression must not decide a bit. */
const NOISE = 1;

/** With fewer set or unset bits, images that have nothing in common have the same hash. */
const MIN_BITS = 8;

export function hashesOf(pixels: Pixels): ImageHashes {
  const luma = lumaOf(pixels);
  return {
    dHash: differenceHash(reduce(luma, DHASH_COLUMNS, DHASH_ROWS)),
    pHash: frequencyHash(reduce(luma, DCT_SIDE, DCT_SIDE)),
    meanColour: meanColourOf(pixels),
  };
}

/** Bits that differ, 0 to 64. */
export function hammingDistance(one: PerceptualHash, other: PerceptualHash): number {
  return one.reduce((sum, band, index) => sum + bitCount(band ^ (other[index] as number)), 0);
}

/** Flat images match equal bytes alone. */
export function isFlat({ dHash }: ImageHashes): boolean {
  const bits = dHash.reduce((sum, band) => sum + bitCount(band), 0);
  return bits < MIN_BITS || bits > BANDS * BITS_PER_BAND - MIN_BITS;
}

interface Grid {
  readonly columns: number;
  readonly values: Float32Array;
}

/** Rec. 601, on white. */
function lumaOf({ data, channels, width }: Pixels): Grid {
  const values = new Float32Array(data.length / channels);
  for (let index = 0; index < values.length; index += 1) {
    const at = index * channels;
    const red = data[at] as number;
    const green = data[at + 1] as number;
    const blue = data[at + 2] as number;
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1;
    values[index] = 255 + (luma - 255) * alpha;
  }
  return { columns: width, values };
}

/** Each value is the mean of its part of the image, so that it does not depend on the image's size. */
function reduce(luma: Grid, columns: number, rows: number): Grid {
  return shortenAndTranspose(shortenAndTranspose(luma, columns), rows);
}

/** Reduces each row to `length` means; rows become columns. */
function shortenAndTranspose({ columns, values }: Grid, length: number): Grid {
  const rows = values.length / columns;
  const shortened = new Float32Array(length * rows);
  for (let row = 0; row < rows; row += 1) {
    const line = values.subarray(row * columns, (row + 1) * columns);
    for (let part = 0; part < length; part += 1) {
      shortened[part * rows + row] = mean(line, (part * columns) / length, ((part + 1) * columns) / length);
    }
  }
  return { columns: rows, values: shortened };
}

/** The mean of the values between two positions, which may be fractions. */
function mean(line: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let index = Math.floor(from); index < to; index += 1) {
    sum += (line[index] as number) * (Math.min(index + 1, to) - Math.max(index, from));
  }
  return sum / (to - from);
}

function differenceHash({ values }: Grid): PerceptualHash {
  const isRising = (bit: number): boolean => {
    const left = Math.floor(bit / (DHASH_COLUMNS - 1)) * DHASH_COLUMNS + (bit % (DHASH_COLUMNS - 1));
    return (values[left + 1] as number) > (values[left] as number) + NOISE;
  };
  return hashOf(isRising);
}

/** The median of the frequencies, without the mean of the image, sets half of the bits. */
function frequencyHash(grid: Grid): PerceptualHash {
  const frequencies = transform(transform(grid)).values;
  const sorted = frequencies.slice(1).sort();
  const median = sorted[sorted.length >> 1] as number;
  return hashOf((bit) => (frequencies[bit] as number) > median);
}

/** @param isSet of 8 rows of 8 bits */
function hashOf(isSet: (bit: number) => boolean): PerceptualHash {
  const bands = [0, 0, 0, 0];
  for (let bit = 0; bit < BANDS * BITS_PER_BAND; bit += 1) {
    const band = bandOf(bit);
    bands[band] = (bands[band] as number) * 2 + Number(isSet(bit));
  }
  return bands as unknown as PerceptualHash;
}

/** Two bits of each row and of each column for each band. */
function bandOf(bit: number): number {
  const [row, column] = [bit >> 3, bit & 7];
  return (row + 2 * column + (column >> 1)) % BANDS;
}

/** DCT-II, the lowest frequencies of `DCT_SIDE` values: one row for each frequency. */
const COSINES = Array.from({ length: FREQUENCIES }, (_, frequency) =>
  Array.from({ length: DCT_SIDE }, (__, index) => Math.cos((Math.PI / DCT_SIDE) * (index + 0.5) * frequency)),
);

/** The lowest frequencies of each row; rows become columns. */
function transform({ columns, values }: Grid): Grid {
  const rows = values.length / columns;
  const frequencies = new Float32Array(FREQUENCIES * rows);
  for (const [frequency, cosines] of COSINES.entries()) {
    for (let row = 0; row < rows; row += 1) {
      frequencies[frequency * rows + row] = product(cosines, values.subarray(row * columns));
    }
  }
  return { columns: rows, values: frequencies };
}

function product(one: readonly number[], other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) {
    sum += (one[index] as number) * (other[index] as number);
  }
  return sum;
}

function meanColourOf({ data, channels }: Pixels): readonly [number, number, number] {
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1;
    for (let channel = 0; channel < 3; channel += 1) {
      sums[channel] = (sums[channel] as number) + 255 + ((data[at + channel] as number) - 255) * alpha;
    }
  }
  const count = data.length / channels;
  return sums.map((sum) => Math.round(sum / count)) as unknown as readonly [number, number, number];
}
