import { apply, diagonal, invert, type Matrix, multiply, type Triple, transpose } from './colour-matrix.ts';

/** The chromaticities x and y of red, green, blue and white (CIE 1931). */
export interface Primaries {
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
  readonly white: Chromaticity;
}

export type Chromaticity = readonly [x: number, y: number];

/**
 * The parameters g, a, b, c, d, e, f of a curve from a sample to light, both from 0 to 1 (ICC.1:2022, 10.18, function type 4):
 * (a · X + b) ^ g + e from d on, and c · X + f below it.
 */
export type Curve = readonly [g: number, a: number, b: number, c: number, d: number, e: number, f: number];

/** How the samples of a picture stand for colours. */
export interface ColourSpace {
  readonly primaries: Primaries;
  readonly curve: Curve;
}

export function gammaCurve(exponent: number): Curve {
  return [exponent, 1, 0, 0, 0, 0, 0];
}

const D65: Chromaticity = [0.3127, 0.329];

export const SRGB: ColourSpace = {
  primaries: { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: D65 },
  curve: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0],
};

export const DISPLAY_P3: ColourSpace = {
  primaries: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
  curve: SRGB.curve,
};

/** The white of profiles (ICC.1:2022, 7.2.16). */
const D50: Triple = [0.9642, 1, 0.8249];

/** Matrices of real primaries have smaller values, and a profile cannot hold values that are much larger. */
const MAX_VALUE = 100;

/** The Bradford transform to the responses of cones (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/**
 * From linear red, green and blue to CIE XYZ, adapted to D50. `undefined` if the primaries are impossible: outside the diagram, or on
 * one line.
 */
export function xyzMatrix({ red, green, blue, white }: Primaries): Matrix | undefined {
  const points = [red, green, blue, white];
  if (!points.every(([x, y]) => x >= 0 && y >= 0 && x <= 1 && y <= 1) || white[1] === 0) return undefined;
  const columns = transpose([xyzOf(red), xyzOf(green), xyzOf(blue)]);
  const [x, y] = white;
  const whiteXyz: Triple = [x / y, 1, (1 - x - y) / y];
  const inverse = invert(columns);
  const adaptation = adaptationFrom(whiteXyz);
  if (inverse === undefined || adaptation === undefined) return undefined;
  const matrix = multiply(adaptation, multiply(columns, diagonal(apply(inverse, whiteXyz))));
  return matrix.flat().every((value) => Math.abs(value) < MAX_VALUE) ? matrix : undefined;
}

function xyzOf([x, y]: Chromaticity): Triple {
  return [x, y, 1 - x - y];
}

function adaptationFrom(white: Triple): Matrix | undefined {
  const [from, to] = [apply(BRADFORD, white), apply(BRADFORD, D50)];
  const back = invert(BRADFORD);
  if (back === undefined || from.includes(0)) return undefined;
  return multiply(back, multiply(diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]), BRADFORD));
}
