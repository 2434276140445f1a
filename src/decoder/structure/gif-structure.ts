import type { Box } from '../../domain/image/box.ts';
import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import { ByteCursor } from './byte-cursor.ts';
import {
  type Check,
  type LzwFrame,
  NOTHING_FOUND,
  type ParsedFile,
  type PlacedFrame,
  type Visit,
} from './file-structure.ts';
import { MalformedFile } from './malformed-file.ts';

const SIGNATURE_BYTES = 6;

// Blocks: GIF89a, appendix A.
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** Of packed fields: a colour table follows, and its size. */
const HAS_COLOURS = 0x80;
const COLOURS_SIZE = 0x07;

/** The decoder holds the canvas, and either a copy that a later frame restores or the canvas on which the first frame is put. */
const HELD_PIXEL_BYTES = 8;

interface Frame extends Box {
  readonly left: number;
  readonly top: number;
  /** Of the code size in front of its pixels. */
  readonly at: number;
  /** Of the last graphic control in front of it. */
  readonly flagsAt?: number | undefined;
}

/**
 * Reads all blocks up to the trailer. What is behind it does not count. Extensions are not kept by the decoder.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function gifStructure(file: Buffer, check: Check, visit?: Visit): ParsedFile {
  const cursor = new ByteCursor(file);
  cursor.skip(SIGNATURE_BYTES);
  const canvas = logicalScreen(cursor);
  const found = { ...NOTHING_FOUND, ...canvas };
  const frames: Frame[] = [];
  let flagsAt: number | undefined;
  check(found);
  visit?.('header', 0, cursor.position);
  for (;;) {
    const start = cursor.position;
    if (cursor.isAtEnd) throw new MalformedFile('gif_end_missing');
    const block = cursor.byte();
    if (block === TRAILER) break;
    let type: string | number = 'image';
    if (block === IMAGE) found.frames = frames.push({ ...imageFrame(cursor, canvas), flagsAt });
    else if (block === EXTENSION) {
      type = cursor.byte();
      if (type === GRAPHIC_CONTROL) flagsAt = cursor.position + 1;
    } else throw new MalformedFile('gif_unknown_block', start);
    found.segments += 1;
    check(found);
    cursor.skipSubBlocks();
    visit?.(type, start, cursor.position);
  }
  return parsed(found, frames, cursor.position);
}

function parsed(found: ImageStructure, frames: readonly Frame[], end: number): ParsedFile {
  const [first] = frames;
  if (first === undefined) throw new MalformedFile('gif_without_frame', end);
  const structure = {
    ...found,
    hasExif: false,
    bytesPerPixel: 4,
    heldBytes: found.width * found.height * HELD_PIXEL_BYTES,
    lzwFrames: frames.map(({ at, width, height }): LzwFrame => ({ at, pixels: width * height })),
    placed: placedOn(found, first),
  };
  return { structure };
}

/** GIF89a, 18. */
function logicalScreen(cursor: ByteCursor): Box {
  const [width, height] = [cursor.uint16LittleEndian(), cursor.uint16LittleEndian()];
  const packed = cursor.byte();
  // The background colour and the aspect ratio of a pixel.
  cursor.skip(2 + colourBytes(packed));
  return { width, height };
}

/** GIF89a, 20. Up to the code size. */
function imageFrame(cursor: ByteCursor, canvas: Box): Frame {
  const start = cursor.position - 1;
  const [left, top] = [cursor.uint16LittleEndian(), cursor.uint16LittleEndian()];
  const [width, height] = [cursor.uint16LittleEndian(), cursor.uint16LittleEndian()];
  if (width === 0 || height === 0) throw new MalformedFile('frame_empty', start);
  if (left + width > canvas.width || top + height > canvas.height) {
    throw new MalformedFile('frame_outside', start);
  }
  cursor.skip(colourBytes(cursor.byte()));
  const at = cursor.position;
  cursor.skip(1);
  return { left, top, width, height, at };
}

function colourBytes(packed: number): number {
  return (packed & HAS_COLOURS) === 0 ? 0 : 3 * 2 ** ((packed & COLOURS_SIZE) + 1);
}

/** `undefined` if the frame covers the canvas. */
function placedOn({ width, height }: Box, frame: Frame): PlacedFrame | undefined {
  if (frame.width === width && frame.height === height) return undefined;
  const { at: _, ...place } = frame;
  return { ...place, canvas: { width, height } };
}
