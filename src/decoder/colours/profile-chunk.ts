import { crc32, deflateSync } from 'node:zlib';
import { invert, type Matrix, multiply } from './colour-matrix.ts';
import { type ColourSpace, DISPLAY_P3, SRGB, xyzMatrix } from './colour-space.ts';
import { writeGreyProfile, writeRgbProfile } from './write-profile.ts';

const HEAD = Buffer.from('iCCPicc\0\0', 'latin1');

interface Samples {
  readonly isGrey: boolean;
  readonly is16Bit: boolean;
}

/** A chunk (W3C PNG, 11.3.2.3) with a profile by which libvips converts the colours of a picture to sRGB. */
export function writeProfileChunk(space: ColourSpace, samples: Samples): Buffer {
  const body = Buffer.concat([HEAD, deflateSync(writeProfile(space, samples))]);
  const chunk = Buffer.alloc(4 + body.length + 4);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

function writeProfile({ primaries, curve }: ColourSpace, { isGrey, is16Bit }: Samples): Buffer {
  const toXyz = xyzMatrix(primaries);
  if (isGrey) return writeGreyProfile(curve);
  if (toXyz === undefined) throw new TypeError('The primaries are impossible');
  return writeRgbProfile(is16Bit ? multiply(SRGB_AS_P3, toXyz) : toXyz, curve);
}

/**
 * sharp converts pictures with 16 bits a sample to Display P3, and then takes the result for sRGB. A profile that names the colours
 * whose numbers in Display P3 are the right ones in sRGB keeps all 16 bits. The curves of both spaces are the same.
 */
const SRGB_AS_P3 = multiply(requireMatrix(xyzMatrix(DISPLAY_P3.primaries)), requireMatrix(invertSrgb()));

function invertSrgb(): Matrix | undefined {
  const toXyz = xyzMatrix(SRGB.primaries);
  return toXyz && invert(toXyz);
}

function requireMatrix(matrix: Matrix | undefined): Matrix {
  if (matrix === undefined) throw new TypeError('The primaries are impossible');
  return matrix;
}
