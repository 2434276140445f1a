import { constants, crc32, deflateRawSync } from 'node:zlib';
import { randomNumbers } from './random-numbers.ts';

// Writes PNG and JPEG files chunk by chunk: encoders do not make legal but unusual files, and are slow for large pictures.

/** EXIF orientation, 1 to 8; from 5 on width and height are swapped. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

// ---------------------------------------------------------------- PNG (W3C PNG, third edition)

export type PngColourType = 'grey' | 'rgb' | 'palette' | 'grey+alpha' | 'rgba';

export interface RawPng {
  readonly width: number;
  readonly height: number;
  readonly colourType: PngColourType;
  /** Of a sample. */
  readonly bitDepth: 1 | 2 | 4 | 8 | 16;
  readonly isInterlaced?: boolean;
  readonly orientation?: Orientation;
  /** Seed of a noise that compresses well, because it repeats itself; without it all samples are 0. */
  readonly noise?: number;
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PNG_COLOUR_TYPES: Readonly<Record<PngColourType, { code: number; channels: number }>> = {
  grey: { code: 0, channels: 1 },
  rgb: { code: 2, channels: 3 },
  palette: { code: 3, channels: 1 },
  'grey+alpha': { code: 4, channels: 2 },
  rgba: { code: 6, channels: 4 },
};

/** The seven Adam7 passes: first column, first row, distance between columns, distance between rows. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const ONE_PASS = [[0, 0, 1, 1]] as const;

/** Approximate size of the rows that are compressed once and then repeated. */
const BLOCK_BYTES = 1024 * 1024;
/** Below half of deflate's window, so that deflate finds the noise of the previous row. */
const NOISE_BYTES = 15_013;
const MAX_SHORT_ROW = NOISE_BYTES / 2;

export function rawPng(png: RawPng): Buffer {
  const { code } = PNG_COLOUR_TYPES[png.colourType];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(png.width, 0);
  header.writeUInt32BE(png.height, 4);
  header[8] = png.bitDepth;
  header[9] = code;
  header[12] = png.isInterlaced === true ? 1 : 0;
  const chunks = [pngChunk('IHDR', header)];
  if (png.orientation !== undefined) chunks.push(pngChunk('eXIf', exif(png.orientation)));
  if (png.colourType === 'palette') chunks.push(pngChunk('PLTE', palette(2 ** png.bitDepth)));
  chunks.push(pngChunk('IDAT', compressedPixels(png)), pngChunk('IEND', Buffer.alloc(0)));
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function palette(colours: number): Buffer {
  return Buffer.from(Array.from({ length: colours * 3 }, (_, index) => (index * 89) & 0xff));
}

/** A zlib stream (RFC 1950) of blocks that are compressed once and repeated. */
function compressedPixels({ width, height, colourType, bitDepth, isInterlaced, noise }: RawPng): Buffer {
  const pixelBits = PNG_COLOUR_TYPES[colourType].channels * bitDepth;
  const parts: Buffer[] = [Buffer.from([0x78, 0x01])];
  let checksum = EMPTY_ADLER;
  for (const [left, top, stepX, stepY] of isInterlaced === true ? ADAM7 : ONE_PASS) {
    const columns = Math.ceil((width - left) / stepX);
    const rows = Math.ceil((height - top) / stepY);
    if (columns <= 0 || rows <= 0) continue;
    const rowBytes = 1 + Math.ceil((columns * pixelBits) / 8);
    const perBlock = Math.min(rows, Math.max(1, Math.floor(BLOCK_BYTES / rowBytes)));
    const block = rowsOf(perBlock, rowBytes, noise);
    const compressed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
    const repeats = Math.floor(rows / perBlock);
    parts.push(Buffer.alloc(repeats * compressed.length, compressed));
    const blockSum = adlerOf(block);
    for (let repeat = 0; repeat < repeats; repeat += 1) checksum = joinedAdler(checksum, blockSum);
    const rest = block.subarray(0, (rows % perBlock) * rowBytes);
    parts.push(deflateRawSync(rest, { finishFlush: constants.Z_FULL_FLUSH }));
    checksum = joinedAdler(checksum, adlerOf(rest));
  }
  parts.push(deflateRawSync(Buffer.alloc(0)), uint32((checksum.b << 16) | checksum.a));
  return Buffer.concat(parts);
}

/** Rows of filter type 0: short ones repeat in groups, and each long one has another part of the same noise. */
function rowsOf(rows: number, rowBytes: number, seed: number | undefined): Buffer {
  const block = Buffer.alloc(rows * rowBytes);
  if (seed === undefined) return block;
  const random = randomNumbers(seed);
  const noise = Buffer.from(Array.from({ length: NOISE_BYTES }, () => Math.floor(random() * 256)));
  if (rowBytes <= MAX_SHORT_ROW) {
    const group = noise.subarray(0, NOISE_BYTES - (NOISE_BYTES % rowBytes));
    for (let at = 0; at < group.length; at += rowBytes) group[at] = 0;
    return block.fill(group);
  }
  for (let row = 0; row < rows; row += 1) {
    let from = Math.floor(random() * NOISE_BYTES);
    for (let at = row * rowBytes + 1; at < (row + 1) * rowBytes; from = 0)
      at += noise.copy(block, at, from, Math.min(NOISE_BYTES, from + (row + 1) * rowBytes - at));
  }
  return block;
}

/** Adler-32 (RFC 1950, 8.2) of repeated bytes. */
interface Adler {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

const EMPTY_ADLER: Adler = { a: 1, b: 0, length: 0 };
const ADLER_MODULUS = 65_521;
/** The sums stay below 2 ** 31 for this many bytes. */
const BYTES_PER_REDUCTION = 3_000;

function adlerOf(bytes: Buffer): Adler {
  let { a, b } = EMPTY_ADLER;
  for (let start = 0; start < bytes.length; start += BYTES_PER_REDUCTION) {
    for (const byte of bytes.subarray(start, start + BYTES_PER_REDUCTION)) {
      a += byte;
      b += a;
    }
    a %= ADLER_MODULUS;
    b %= ADLER_MODULUS;
  }
  return { a, b, length: bytes.length };
}

function joinedAdler(first: Adler, second: Adler): Adler {
  const a = (first.a + second.a - 1 + ADLER_MODULUS) % ADLER_MODULUS;
  const carried = ((second.length % ADLER_MODULUS) * (first.a - 1 + ADLER_MODULUS)) % ADLER_MODULUS;
  const b = (first.b + second.b + carried) % ADLER_MODULUS;
  return { a, b, length: first.length + second.length };
}

// ---------------------------------------------------------------- progressive JPEG (ITU-T T.81)

export interface RawJpeg {
  readonly width: number;
  readonly height: number;
  readonly components: 1 | 3 | 4;
  /** From the number of components to `MAX_SCANS_PER_COMPONENT` times as many. */
  readonly scans: number;
  readonly orientation?: Orientation;
}

const [SOI, EOI] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
const [SOF2, DHT, SOS, DQT, APP1] = [0xc2, 0xc4, 0xda, 0xdb, 0xe1];

/** Successive approximation may start at bit 13 and go down to bit 0: 14 scans for each of the 63 AC coefficients. */
const FIRST_BIT = 13;
const AC_COEFFICIENTS = 63;
export const MAX_SCANS_PER_COMPONENT = 1 + AC_COEFFICIENTS * (FIRST_BIT + 1);

/** An end-of-band run ends the band in up to this many consecutive blocks with one symbol. */
const MAX_END_OF_BAND_RUN = 32_767;
const END_OF_BAND_SYMBOLS = Array.from({ length: 15 }, (_, exponent) => exponent << 4);

/** A flat JPEG with any number of legal scans. A decoder visits every block in every scan, although a scan has some 50 bytes. */
export function rawJpeg({ width, height, components, scans, orientation }: RawJpeg): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const dcData = dcDifferencesOfZero(blocks);
  const acData = endOfBandRuns(blocks);
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, components];
  for (let component = 1; component <= components; component += 1) frame.push(component, 0x11, 0);
  const parts = [
    SOI,
    ...(orientation === undefined ? [] : [exifSegment(orientation)]),
    jpegSegment(DQT, [0, ...Array.from({ length: 64 }, () => 1)]),
    jpegSegment(SOF2, frame),
    huffmanTable(0x00, 1, [0]),
    huffmanTable(0x10, 4, END_OF_BAND_SYMBOLS),
  ];
  let written = 0;
  for (const { component, coefficient, bits } of scanScript(components)) {
    if (written === scans) break;
    parts.push(jpegSegment(SOS, [1, component + 1, 0x00, coefficient, coefficient, bits]));
    parts.push(coefficient === 0 ? dcData : acData);
    written += 1;
  }
  return Buffer.concat([...parts, EOI]);
}

/** Puts an orientation into a JPEG that has no EXIF. */
export function withOrientation(jpeg: Buffer, orientation: Orientation): Buffer {
  return Buffer.concat([SOI, exifSegment(orientation), jpeg.subarray(SOI.length)]);
}

function exifSegment(orientation: Orientation): Buffer {
  return jpegSegment(APP1, [...Buffer.from('Exif\0\0', 'latin1'), ...exif(orientation)]);
}

function jpegSegment(marker: number, bytes: readonly number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

/** A Huffman table in which all codes have the same length; the code of a symbol is its index. */
function huffmanTable(classAndId: number, codeLength: number, symbols: readonly number[]): Buffer {
  const codesOfLength = Array.from({ length: 16 }, (_, index) =>
    index + 1 === codeLength ? symbols.length : 0,
  );
  return jpegSegment(DHT, [classAndId, ...codesOfLength, ...symbols]);
}

/** A bit of 0 for each block, padded with ones. */
function dcDifferencesOfZero(blocks: number): Buffer {
  return Buffer.concat([Buffer.alloc(Math.floor(blocks / 8)), Buffer.from([0xff >> (blocks % 8)])]).subarray(
    0,
    Math.ceil(blocks / 8),
  );
}

function endOfBandRuns(blocks: number): Buffer {
  let bits = '';
  for (let left = blocks; left > 0; ) {
    const run = Math.min(left, MAX_END_OF_BAND_RUN);
    const exponent = Math.floor(Math.log2(run));
    bits += exponent.toString(2).padStart(4, '0');
    if (exponent > 0) bits += (run - 2 ** exponent).toString(2).padStart(exponent, '0');
    left -= run;
  }
  return entropyCoded(bits);
}

/** Padded with ones, and a zero byte after each 0xff. */
function entropyCoded(bits: string): Buffer {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(
    bytes.flatMap((byte) => {
      const value = Number.parseInt(byte.padEnd(8, '1'), 2);
      return value === 0xff ? [value, 0] : [value];
    }),
  );
}

interface Scan {
  readonly component: number;
  readonly coefficient: number;
  /** The bit above the previous approximation, and the bit of this one. */
  readonly bits: number;
}

/** A permitted order: DC of each component, then each coefficient bit by bit. */
function* scanScript(components: number): Generator<Scan> {
  for (let component = 0; component < components; component += 1)
    yield { component, coefficient: 0, bits: 0 };
  for (let component = 0; component < components; component += 1)
    for (let coefficient = 1; coefficient <= AC_COEFFICIENTS; coefficient += 1)
      for (let bit = FIRST_BIT; bit >= 0; bit -= 1) {
        const previous = bit === FIRST_BIT ? 0 : bit + 1;
        yield { component, coefficient, bits: (previous << 4) | bit };
      }
}

// ---------------------------------------------------------------- EXIF

/** A TIFF with one directory of one entry (EXIF 3.0, 4.6.2): tag 0x0112, one SHORT. */
function exif(orientation: Orientation): Buffer {
  return Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
