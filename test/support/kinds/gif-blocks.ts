import { flatLzw, lzw } from './lzw.ts';

// Writes GIF files block by block (GIF89a), because no encoder makes the unusual ones.

export interface GifScreen {
  readonly width: number;
  readonly height: number;
  readonly version?: '87a' | '89a';
  /** Colours of the global table, a power of two; 0: no table. */
  readonly colours?: number;
}

export interface GifFrame {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced?: boolean;
  /** Colours of a table of its own. */
  readonly colours?: number;
  /** Indexes of colours, row by row; all 0 by default. */
  readonly pixels?: Uint8Array;
  readonly codeSize?: number;
  /** What follows the minimum code size, instead of the compressed pixels. */
  readonly data?: Buffer;
}

/** 2.0, section 12 ff. */
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b] as const;
const [PLAIN_TEXT, GRAPHIC_CONTROL, COMMENT, APPLICATION] = [0x01, 0xf9, 0xfe, 0xff] as const;

export const GIF_TRAILER = Buffer.of(TRAILER);

/** The global table of a screen has four colours by default. */
const COLOURS = 4;
const CODE_SIZE = 2;

export function gif(screen: GifScreen, blocks: readonly Buffer[], end = GIF_TRAILER): Buffer {
  return Buffer.concat([gifHead(screen), ...blocks, end]);
}

/** Signature, logical screen and global colours. */
export function gifHead({ width, height, version = '89a', colours = COLOURS }: GifScreen): Buffer {
  const head = Buffer.alloc(13);
  head.write(`GIF${version}`, 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = colours === 0 ? 0 : 0x80 | sizeField(colours);
  return Buffer.concat([head, colourTable(colours)]);
}

export function gifFrame(frame: GifFrame): Buffer {
  const { width, height, pixels, codeSize = CODE_SIZE } = frame;
  const compressed = pixels === undefined ? flatLzw(width * height, codeSize) : lzw(pixels, codeSize);
  return Buffer.concat([gifFrameHead(frame), Buffer.of(codeSize), frame.data ?? subBlocks(compressed)]);
}

/** Image descriptor and local colours. */
export function gifFrameHead(frame: GifFrame): Buffer {
  const { left = 0, top = 0, width, height, isInterlaced = false, colours = 0 } = frame;
  const head = Buffer.of(IMAGE, 0, 0, 0, 0, 0, 0, 0, 0, isInterlaced ? 0x40 : 0);
  for (const [index, value] of [left, top, width, height].entries()) head.writeUInt16LE(value, 1 + 2 * index);
  head[9] = (head[9] ?? 0) | (colours === 0 ? 0 : 0x80 | sizeField(colours));
  return Buffer.concat([head, colourTable(colours)]);
}

/** What happens to a frame before the next one is drawn: nothing, keep it, clear it, restore what was below. */
export type Disposal = 0 | 1 | 2 | 3;

export function graphicControl(disposal: Disposal, transparent?: number): Buffer {
  const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
  return gifExtension(GRAPHIC_CONTROL, subBlocks(Buffer.of(flags, 10, 0, transparent ?? 0)));
}

export function gifComment(text: Uint8Array): Buffer {
  return gifExtension(COMMENT, subBlocks(text));
}

export function gifPlainText(text: string): Buffer {
  return gifExtension(
    PLAIN_TEXT,
    Buffer.concat([Buffer.of(12), Buffer.alloc(12), subBlocks(Buffer.from(text))]),
  );
}

/** @param application eleven letters */
export function gifApplication(application: string, data: Buffer): Buffer {
  return gifExtension(APPLICATION, Buffer.concat([Buffer.of(11), Buffer.from(application, 'latin1'), data]));
}

export function gifLoop(times: number): Buffer {
  return gifApplication('NETSCAPE2.0', subBlocks(Buffer.of(1, times & 0xff, times >> 8)));
}

/** @param data sub-blocks */
export function gifExtension(label: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.of(EXTENSION, label), data]);
}

const MAX_SUB_BLOCK = 255;

/** With the empty one at the end. */
export function subBlocks(bytes: Uint8Array, size = MAX_SUB_BLOCK): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}

/** A table of colours has twice as many as two to the power of this field. */
function sizeField(colours: number): number {
  return Math.log2(colours) - 1;
}

function colourTable(colours: number): Buffer {
  return Buffer.from(Array.from({ length: colours * 3 }, (_, index) => (index * 83 + 60) & 0xff));
}
