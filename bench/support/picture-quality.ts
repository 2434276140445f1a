import type { Box } from '../../src/domain/image/box.ts';

/** Rows of pixels with 8 bits a channel. */
export interface RawPicture extends Box {
  readonly data: Uint8Array;
  readonly channels: number;
}

/** Rows of brightness, 0–255. */
export interface Luma extends Box {
  readonly values: Float64Array;
}

/** Reduces each axis with Lanczos3 over all source pixels. A picture of that size is not changed. */
export function lanczosLuma(picture: RawPicture, { width, height }: Box): Luma {
  const narrow = resample(lumaOf(picture), width);
  return transposed(resample(transposed(narrow), height));
}

/** ITU-R BT.601. */
function lumaOf({ data, channels, width, height }: RawPicture): Luma {
  const values = new Float64Array(width * height);
  for (let at = 0, from = 0; at < values.length; at += 1, from += channels) {
    const red = data[from] ?? 0;
    values[at] =
      channels < 3 ? red : 0.299 * red + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0);
  }
  return { values, width, height };
}

function transposed({ values, width, height }: Luma): Luma {
  const turned = new Float64Array(values.length);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      turned[column * height + row] = values[row * width + column] ?? 0;
    }
  }
  return { values: turned, width: height, height: width };
}

function resample(picture: Luma, width: number): Luma {
  if (width === picture.width) return picture;
  const { height } = picture;
  const values = new Float64Array(width * height);
  for (let column = 0; column < width; column += 1) {
    const taps = tapsOf(column, picture.width, width);
    for (let row = 0; row < height; row += 1) {
      values[row * width + column] = weightedSum(picture.values, row * picture.width, taps);
    }
  }
  return { values, width, height };
}

interface Taps {
  readonly first: number;
  /** Their sum is 1. */
  readonly weights: readonly number[];
}

function tapsOf(column: number, from: number, to: number): Taps {
  const scale = Math.max(1, from / to);
  const centre = ((column + 0.5) * from) / to;
  const first = Math.max(0, Math.floor(centre - LOBES * scale));
  const last = Math.min(from, Math.ceil(centre + LOBES * scale));
  const weights = Array.from({ length: last - first }, (_, at) =>
    lanczos((first + at + 0.5 - centre) / scale),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { first, weights: weights.map((weight) => weight / sum) };
}

const LOBES = 3;

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  return (LOBES * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / LOBES)) / (Math.PI * x) ** 2;
}

function weightedSum(values: Float64Array, start: number, { first, weights }: Taps): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) {
    sum += (values[start + first + at] ?? 0) * (weights[at] ?? 0);
  }
  return sum;
}

/** Pixels. */
const WINDOW = 8;
const STEP = 4;

/** The constants of SSIM: Wang, Bovik, Sheikh, Simoncelli 2004. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** DSSIM: 1/SSIM − 1, with the mean SSIM of overlapping windows. 0 for equal pictures. */
export function dissimilarity(picture: Luma, reference: Luma): number {
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + WINDOW <= reference.height; top += STEP) {
    for (let left = 0; left + WINDOW <= reference.width; left += STEP) {
      sum += similarity(picture.values, reference.values, top * reference.width + left, reference.width);
      windows += 1;
    }
  }
  return windows / sum - 1;
}

function similarity(a: Float64Array, b: Float64Array, start: number, width: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let row = 0; row < WINDOW; row += 1) {
    for (let at = start + row * width; at < start + row * width + WINDOW; at += 1) {
      const [x, y] = [a[at] ?? 0, b[at] ?? 0];
      sumA += x;
      sumB += y;
      squaresA += x * x;
      squaresB += y * y;
      products += x * y;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const variances = squaresA / count - meanA ** 2 + squaresB / count - meanB ** 2;
  const covariance = products / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (variances + C2))
  );
}
