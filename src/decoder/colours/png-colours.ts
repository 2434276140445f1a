import type { PngColourChunks } from '../structure/png-colour-chunks.ts';
import { findColourSpace, isHighDynamicRange } from './code-points.ts';
import { type ColourSpace, gammaCurve, SRGB } from './colour-space.ts';

/** Many programs write this number when they mean sRGB. Browsers understand it so too if the file has no primaries. */
const SRGB_GAMMA = 1 / 2.2;
const GAMMA_TOLERANCE = 0.05;

/** `sRGB`: the samples are shown as they are. `profile`: converted by the profile in the file. A colour space: converted from it. */
export type PngColours = 'sRGB' | 'profile' | ColourSpace;

/**
 * The order of browsers: `cICP`, `iCCP`, `sRGB`, `gAMA` with `cHRM`. Samples of PQ and HLG are shown as if they were sRGB.
 *
 * @param hasProfile whether the profile can be used
 */
export function choosePngColours(
  { codePoints, isSrgb, gamma, primaries }: PngColourChunks,
  hasProfile: boolean,
): PngColours {
  if (codePoints !== undefined) {
    return isHighDynamicRange(codePoints) ? 'sRGB' : recognizeSrgb(findColourSpace(codePoints));
  }
  if (hasProfile) return 'profile';
  if (isSrgb === true || gamma === undefined) return 'sRGB';
  if (primaries === undefined && Math.abs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE) return 'sRGB';
  return recognizeSrgb({ primaries: primaries ?? SRGB.primaries, curve: gammaCurve(1 / gamma) });
}

/** Finds out whether numbers describe sRGB itself. A space that is not known counts as sRGB. */
function recognizeSrgb(space: ColourSpace | undefined): PngColours {
  const isSrgb = space?.primaries === SRGB.primaries && space.curve === SRGB.curve;
  return space === undefined || isSrgb ? 'sRGB' : space;
}
