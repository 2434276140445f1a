import type { BitWriter } from './bit-writer.ts';
import { vp8lHead, type WebpBox, webpChunk, writeSingleSymbol } from './webp-chunks.ts';

/** What a decoder does to the pixels of a lossless picture: RFC 9649, 3.5. */
export interface Vp8lTransforms {
  /** The way in which all pixels are predicted, 0 to 13. */
  readonly predictor?: number;
  readonly isCrossColour?: boolean;
  readonly isGreenSubtracted?: boolean;
}

const [PREDICTOR, CROSS_COLOUR, SUBTRACT_GREEN] = [0, 1, 2] as const;
/** Blocks of 512 by 512 pixels share a predictor. */
const BLOCK_BITS = 9;
const MAX_FIELD = 7;

/** A lossless picture of a byte for each pixel: every byte is a code of eight bits, so that any bytes are valid. */
export function noisyVp8l(
  { width, height }: WebpBox,
  noise: Buffer,
  transforms: Vp8lTransforms = {},
): Buffer {
  const bits = vp8lHead({ width, height });
  writeTransforms(bits, transforms);
  // Neither a cache of colours nor several groups of prefix codes.
  bits.write(0, 2);
  writeByteCode(bits, GREEN_SYMBOLS);
  for (const symbol of [0x40, 0xc0, 0xff, 0]) writeSingleSymbol(bits, symbol);
  return webpChunk('VP8L', Buffer.concat([bits.finish(), Buffer.alloc(width * height + 1, noise)]));
}

function writeTransforms(
  bits: BitWriter,
  { predictor, isCrossColour, isGreenSubtracted }: Vp8lTransforms,
): void {
  if (predictor !== undefined) writeBlockTransform(bits, PREDICTOR, predictor);
  if (isCrossColour === true) writeBlockTransform(bits, CROSS_COLOUR, 0x35);
  if (isGreenSubtracted === true) bits.write(1 | (SUBTRACT_GREEN << 1), 3);
  bits.write(0, 1);
}

/** A transform whose blocks are all the same: its picture of blocks has one colour. */
function writeBlockTransform(bits: BitWriter, kind: number, green: number): void {
  bits.write(1 | (kind << 1), 3);
  bits.write(Math.min(MAX_FIELD, BLOCK_BITS - 2), 3);
  bits.write(0, 1);
  for (const symbol of [green, 0x11, 0x22, 0xff, 0]) writeSingleSymbol(bits, symbol);
}

/** Literals, then lengths of copies. */
const GREEN_SYMBOLS = 256 + 24;
const RED_SYMBOLS = 256;
/** RFC 9649, 3.7.2.1.2: the place of the lengths 0 and 8 among the lengths of the code of lengths. */
const LENGTHS_WRITTEN = 12;
const [PLACE_OF_0, PLACE_OF_8] = [2, 11] as const;

/** A prefix code in which each byte has eight bits, and other symbols none. */
function writeByteCode(bits: BitWriter, symbols: number): void {
  bits.write(0, 1);
  bits.write(LENGTHS_WRITTEN - 4, 4);
  for (let place = 0; place < LENGTHS_WRITTEN; place += 1) {
    bits.write(place === PLACE_OF_0 || place === PLACE_OF_8 ? 1 : 0, 3);
  }
  bits.write(0, 1);
  for (let symbol = 0; symbol < symbols; symbol += 1) bits.write(symbol < 256 ? 1 : 0, 1);
}

/** Blocks of 4 by 4 pixels choose a group of prefix codes. */
const GROUP_BLOCK = 4;

/** A flat lossless picture in which each block of 4 by 4 pixels has prefix codes of its own, of 65,536 at most. */
export function vp8lOfManyCodes({ width, height }: WebpBox): Buffer {
  const bits = vp8lHead({ width, height });
  // No transforms, no cache, groups by blocks of four pixels.
  bits.write(0, 2);
  bits.write(1, 1);
  bits.write(0, 3);
  const groups = writeGroupPicture(bits, Math.ceil(width / GROUP_BLOCK) * Math.ceil(height / GROUP_BLOCK));
  for (let group = 0; group < groups; group += 1) {
    for (const symbol of [group & 0xff, 0x40, 0xc0, 0xff, 0]) writeSingleSymbol(bits, symbol);
  }
  return webpChunk('VP8L', bits.finish());
}

/** The number of a group is in red and green. */
function writeGroupPicture(bits: BitWriter, blocks: number): number {
  bits.write(0, 1);
  writeByteCode(bits, GREEN_SYMBOLS);
  writeByteCode(bits, RED_SYMBOLS);
  for (const symbol of [0, 0xff, 0]) writeSingleSymbol(bits, symbol);
  for (let block = 0; block < blocks; block += 1) {
    bits.writeReversed(block & 0xff, 8);
    bits.writeReversed((block >> 8) & 0xff, 8);
  }
  return Math.min(blocks, 65_536);
}
