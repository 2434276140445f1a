import {
  type ColourSpace,
  type Curve,
  DISPLAY_P3,
  gammaCurve,
  type Primaries,
  SRGB,
} from './colour-space.ts';

/** Numbers of the primaries and of the transfer function (ITU-T H.273, tables 2 and 3). */
interface CodePoints {
  readonly primaries: number;
  readonly transfer: number;
}

const D65 = SRGB.primaries.white;
const C = [0.31, 0.316] as const;
const SMPTE_170M: Primaries = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 };

const PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: SRGB.primaries,
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: SMPTE_170M,
  7: SMPTE_170M,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  10: { red: [1, 0], green: [0, 1], blue: [0, 0], white: [1 / 3, 1 / 3] },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: DISPLAY_P3.primaries,
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 },
};

/** The inverse of the camera's curve would look washed out: browsers take the curve of displays (ITU-R BT.1886). */
const BT_709 = gammaCurve(2.4);

const CURVES: Readonly<Record<number, Curve>> = {
  1: BT_709,
  4: gammaCurve(2.2),
  5: gammaCurve(2.8),
  6: BT_709,
  7: [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 1 / 4, 0.0912, 0, 0],
  8: gammaCurve(1),
  11: BT_709,
  13: SRGB.curve,
  14: BT_709,
  15: BT_709,
  17: [2.6, (52.37 / 48) ** (1 / 2.6), 0, 0, 0, 0, 0],
};

/** PQ and HLG describe light that is brighter than a display of sRGB can show. */
const HIGH_DYNAMIC_RANGE: readonly number[] = [16, 18];

export function isHighDynamicRange({ transfer }: CodePoints): boolean {
  return HIGH_DYNAMIC_RANGE.includes(transfer);
}

/** Whether a picture with these numbers can be shown by them. */
export function isCodePoints(points: CodePoints): boolean {
  return isHighDynamicRange(points) || findColourSpace(points) !== undefined;
}

export function findColourSpace({ primaries: primariesCode, transfer }: CodePoints): ColourSpace | undefined {
  const [primaries, curve] = [PRIMARIES[primariesCode], CURVES[transfer]];
  return primaries === undefined || curve === undefined ? undefined : { primaries, curve };
}
