import { isCodePoints } from '../colours/code-points.ts';
import { type Primaries, xyzMatrix } from '../colours/colour-space.ts';
import { hasItsCrc } from '../embedded/png-blocks.ts';
import type { FileRange } from './file-range.ts';

/** What a PNG says about its colours (W3C PNG, 11.3.2), besides its profile. A chunk that is ill-formed or unknown is left out. */
export interface PngColourChunks {
  /** `cICP`: numbers of the primaries and of the transfer function (ITU-T H.273). */
  readonly codePoints?: CodePoints;
  readonly isSrgb?: true;
  /** `gAMA`: the exponent by which light becomes a sample. */
  readonly gamma?: number;
  /** `cHRM`. */
  readonly primaries?: Primaries;
}

export interface CodePoints {
  readonly primaries: number;
  readonly transfer: number;
}

type Read = (content: Buffer) => PngColourChunks | undefined;

const READERS: Readonly<Record<string, Read>> = {
  cICP: readCodePoints,
  sRGB: (content) => (content.length === 1 && (content[0] as number) < 4 ? { isSrgb: true } : undefined),
  gAMA: readGamma,
  cHRM: readPrimaries,
};

/** Adds what a chunk says. Of several chunks of a type, the first counts. */
export function addColourChunk(
  found: PngColourChunks,
  type: string,
  file: Buffer,
  { start, end }: FileRange,
): PngColourChunks {
  const read = READERS[type];
  if (read === undefined || !hasItsCrc(file, start, end)) return found;
  return { ...read(file.subarray(start, end)), ...found };
}

/** PNG does not allow a matrix, and browsers ignore a `cICP` whose samples have a limited range too. */
function readCodePoints(content: Buffer): PngColourChunks | undefined {
  const [primaries = 0, transfer = 0, matrix, isFullRange] = content;
  const codePoints = { primaries, transfer };
  if (content.length !== 4 || matrix !== 0 || isFullRange !== 1) return undefined;
  return isCodePoints(codePoints) ? { codePoints } : undefined;
}

/** The numbers in cHRM and gAMA are multiples of 1/100,000. */
const UNIT = 100_000;

/** A colour profile can hold these. Beyond them, pictures are black or white. */
const [MIN_GAMMA, MAX_GAMMA] = [0.001, 1_000];

function readGamma(content: Buffer): PngColourChunks | undefined {
  if (content.length !== 4) return undefined;
  const gamma = content.readUInt32BE(0) / UNIT;
  return gamma === 0 ? undefined : { gamma: Math.min(MAX_GAMMA, Math.max(MIN_GAMMA, gamma)) };
}

function readPrimaries(content: Buffer): PngColourChunks | undefined {
  if (content.length !== 32) return undefined;
  const at = (index: number): readonly [number, number] => [
    content.readUInt32BE(8 * index) / UNIT,
    content.readUInt32BE(8 * index + 4) / UNIT,
  ];
  const primaries = { white: at(0), red: at(1), green: at(2), blue: at(3) };
  return xyzMatrix(primaries) === undefined ? undefined : { primaries };
}
