import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import { hasItsCrc } from '../embedded/png-blocks.ts';
import { ByteCursor } from './byte-cursor.ts';
import type { FileRange } from './file-range.ts';
import {
  type Check,
  type CompressedChunk,
  type FileStructure,
  NOTHING_FOUND,
  type ParsedFile,
  type Visit,
} from './file-structure.ts';
import { MalformedFile } from './malformed-file.ts';
import { addColourChunk, type PngColourChunks } from './png-colour-chunks.ts';

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 13;
/** Behind its length and type. */
const HEADER_START = 16;
const CRC_BYTES = 4;
/** libpng keeps these, and skips what it does not know, however long. */
const KEPT: readonly string[] = ['eXIf', 'iCCP', 'iTXt', 'pCAL', 'sCAL', 'sPLT', 'tEXt', 'zTXt'];

/** Xcode puts it in front of the header. The pixels that follow are encoded in another way. */
const APPLE_CHUNK = 'CgBI';

/** The inflated bytes count as well. */
const COMPRESSIBLE: readonly string[] = ['iCCP', 'iTXt', 'zTXt'];

/** Decoders ignore these after a palette. Browsers read other chunks about colours there, too. */
const BEFORE_PALETTE: readonly string[] = ['cICP', 'iCCP'];

/** By colour type (W3C PNG, 11.2.1). A palette, type 3, is decoded to RGB. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/**
 * Reads up to the first chunk that has pixels, with a visitor up to the end.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function pngStructure(file: Buffer, check: Check, visit?: Visit): ParsedFile {
  const cursor = new ByteCursor(file);
  cursor.skip(SIGNATURE_BYTES);
  const header = imageHeader(cursor);
  const { width, height } = header;
  const found = { ...NOTHING_FOUND, width, height };
  const compressed: CompressedChunk[] = [];
  const types = new Set<string>();
  const exif: FileRange[] = [];
  const damagedExif: FileRange[] = [];
  let chunks: PngColourChunks = {};
  check(found);
  visit?.('IHDR', HEADER_START, HEADER_START + HEADER_BYTES);
  for (;;) {
    const { length, type } = chunkHead(cursor);
    if (type === 'IDAT' || type === 'IEND') {
      if (visit !== undefined) visitRest(cursor, type, length, visit);
      break;
    }
    types.add(type);
    found.segments += 1;
    if (KEPT.includes(type)) found.metadataBytes += length;
    check(found);
    const start = cursor.position;
    cursor.skip(length);
    cursor.skip(CRC_BYTES);
    const range = { start, end: start + length };
    const isMisplaced = types.has('PLTE') && BEFORE_PALETTE.includes(type);
    const chunk = compressedChunk(type, file, range, isMisplaced);
    if (chunk !== undefined) found.compressedChunks = compressed.push(chunk);
    if (!isMisplaced) chunks = addColourChunk(chunks, type, file, range);
    if (type === 'eXIf') (hasItsCrc(file, start, start + length) ? exif : damagedExif).push(range);
    visit?.(type, start, start + length);
  }
  check(found);
  const png = { isGrey: header.isGrey, is16Bit: header.depth === 16, chunks };
  return { structure: { ...structureOf(found, header, types), exif, damagedExif }, compressed, png };
}

function structureOf(found: ImageStructure, header: ImageHeader, types: ReadonlySet<string>): FileStructure {
  const channels = header.channels + (types.has('tRNS') ? 1 : 0);
  const bytesPerPixel = header.depth === 16 ? 2 * channels : channels;
  const heldBytes = header.isInterlaced ? header.width * header.height * bytesPerPixel : 0;
  return { ...found, bytesPerPixel, heldBytes, hasExif: types.has('eXIf') };
}

function chunkHead(cursor: ByteCursor): { readonly length: number; readonly type: string } {
  if (cursor.isAtEnd) throw new MalformedFile('png_end_missing');
  return { length: cursor.uint32(), type: String.fromCharCode(...cursor.take(4)) };
}

/** From the first chunk that has pixels, whose head has been read. */
function visitRest(cursor: ByteCursor, first: string, firstLength: number, visit: Visit): void {
  for (let [type, length] = [first, firstLength]; ; ) {
    const start = cursor.position;
    cursor.skip(length + CRC_BYTES);
    visit(type, start, start + length);
    if (type === 'IEND') return;
    ({ type, length } = chunkHead(cursor));
  }
}

/** `undefined` if the chunk is not compressed. */
function compressedChunk(
  type: string,
  file: Buffer,
  range: FileRange,
  isMisplaced: boolean,
): CompressedChunk | undefined {
  if (!COMPRESSIBLE.includes(type)) return undefined;
  const { start, end } = range;
  const zlibStream = readCompressed(type, file.subarray(start, end));
  if (zlibStream === undefined) return undefined;
  if (type !== 'iCCP') return { zlibStream };
  return { zlibStream, profile: { ...range, isReadable: !isMisplaced && hasItsCrc(file, start, end) } };
}

/** W3C PNG, 11.3.2.3 and 11.3.3; `undefined` if the chunk is not compressed. */
function readCompressed(type: string, data: Uint8Array): Uint8Array | undefined {
  const behindKeyword = behindZero(data, 0);
  // An iTXt has a flag, the method, a language and a translated keyword; the others have the method.
  if (type !== 'iTXt') return data.subarray(behindKeyword + 1);
  if (data[behindKeyword] !== 1) return undefined;
  return data.subarray(behindZero(data, behindZero(data, behindKeyword + 2)));
}

function behindZero(data: Uint8Array, from: number): number {
  const zero = data.indexOf(0, from);
  return zero === -1 ? data.length : zero + 1;
}

interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  readonly channels: number;
  readonly isGrey: boolean;
  readonly isInterlaced: boolean;
}

/** The first chunk: W3C PNG, 11.2.1. */
function imageHeader(cursor: ByteCursor): ImageHeader {
  const start = cursor.position;
  const { length, type } = chunkHead(cursor);
  if (type === APPLE_CHUNK) throw new MalformedFile('png_of_apple');
  if (type !== 'IHDR' || length !== HEADER_BYTES) throw new MalformedFile('png_without_header', start);
  const [width, height] = [cursor.uint32(), cursor.uint32()];
  const [depth = 0, colourType = 0, , , interlace] = cursor.take(5);
  cursor.skip(CRC_BYTES);
  const channels = CHANNELS[colourType] ?? 4;
  return { width, height, depth, channels, isGrey: channels < 3, isInterlaced: interlace !== 0 };
}
