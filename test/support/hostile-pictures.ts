import zlib from 'node:zlib';

// Files made marker by marker and chunk by chunk, because no encoder writes them. All samples are zero.

export function jpegSegment(marker: number, bytes: Uint8Array | readonly number[] = []): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, Uint8Array.from(bytes)]);
}

export interface MadeJpeg {
  readonly width: number;
  readonly height: number;
  readonly scans: number;
  /** Start of frame: 0xc2 progressive (the default), 0xc0 sequential, 0xca progressive and arithmetic. */
  readonly frame?: number;
  /** Inserted before the first scan, between the scans, and after the end. */
  readonly before?: Uint8Array;
  readonly between?: Uint8Array;
  readonly behind?: Uint8Array;
}

/**
 * A JPEG of one component with this many scans: DC, then one bit of one coefficient each, in the order that the standard asks
 * for (ITU-T T.81, G.1.1.1). A decoder visits every block in each of them.
 */
export function madeJpeg(picture: MadeJpeg): Buffer {
  const { width, height, scans, frame = 0xc2 } = picture;
  const { before = Buffer.alloc(0), between = Buffer.alloc(0), behind = Buffer.alloc(0) } = picture;
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const parts: Uint8Array[] = [
    Buffer.from([0xff, 0xd8]),
    before,
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(frame, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    // One code of one bit for "no difference", and 15 codes of four bits for runs of blocks without coefficients.
    jpegSegment(0xc4, [0, 1, ...Array<number>(15).fill(0), 0]),
    jpegSegment(0xc4, [0x10, 0, 0, 0, 15, ...Array<number>(12).fill(0), ...runSymbols()]),
  ];
  for (let scan = 0; scan < scans; scan += 1) {
    if (scan > 0) parts.push(between);
    parts.push(scanHeader(scan), scan === 0 ? bits(blocks) : emptyBands(blocks));
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9]), behind]);
}

function runSymbols(): number[] {
  return Array.from({ length: 15 }, (_, exponent) => exponent << 4);
}

const FIRST_BIT = 13;

function scanHeader(scan: number): Buffer {
  if (scan === 0) return jpegSegment(0xda, [1, 1, 0, 0, 0, 0]);
  const coefficient = 1 + Math.floor((scan - 1) / (FIRST_BIT + 1));
  const bit = FIRST_BIT - ((scan - 1) % (FIRST_BIT + 1));
  const previous = bit === FIRST_BIT ? 0 : bit + 1;
  return jpegSegment(0xda, [1, 1, 0, coefficient, coefficient, (previous << 4) | bit]);
}

/** A zero bit for each block, padded with ones. */
function bits(count: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(count / 8));
  if (count % 8 !== 0) bytes[bytes.length - 1] = 0xff >> (count % 8);
  return bytes;
}

/** Runs of up to 32,767 blocks that end their band at once: T.81, G.1.2.2. */
function emptyBands(blocks: number): Buffer {
  let text = '';
  for (let left = blocks; left > 0; ) {
    const run = Math.min(left, 32_767);
    const exponent = Math.floor(Math.log2(run));
    text += exponent.toString(2).padStart(4, '0');
    if (exponent > 0) text += (run - 2 ** exponent).toString(2).padStart(exponent, '0');
    left -= run;
  }
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, checksum]);
}

export interface MadePng {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: 8 | 16;
  /** 0 grey, 2 RGB, 6 RGBA (W3C PNG, 11.2.1). */
  readonly colourType: 0 | 2 | 6;
  readonly isInterlaced?: boolean;
  /** Put between the header and the pixels. */
  readonly chunks?: readonly Buffer[];
}

const CHANNELS = { 0: 1, 2: 3, 6: 4 } as const;

/** The seven passes of an interlaced picture: first column and row, distance of columns and of rows (W3C PNG, 8.2). */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A PNG of zeros, of up to some megapixels. */
export function madePng(picture: MadePng): Buffer {
  const { width, height, depth, colourType, isInterlaced = false, chunks = [] } = picture;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, isInterlaced ? 1 : 0], 8);
  const passes = isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  let length = 0;
  for (const [left, top, stepX, stepY] of passes) {
    const [columns, rows] = [Math.ceil((width - left) / stepX), Math.ceil((height - top) / stepY)];
    if (columns > 0 && rows > 0) length += rows * (1 + (columns * CHANNELS[colourType] * depth) / 8);
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', zlib.deflateSync(Buffer.alloc(length), { level: 1 })),
    pngChunk('IEND'),
  ]);
}

/** An EXIF block with only the orientation (CIPA DC-008, tag 0x0112). */
export function exifOrientation(orientation: number): Buffer {
  const block = Buffer.from('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  block[18] = orientation;
  return block;
}
