import type { ImageStructure } from '../../../domain/image/decode-limits.ts';
import { ByteCursor, type ChunkParser } from './byte-cursor.ts';
import type { FileStructure } from './file-structure.ts';

const SIGNATURE_BYTES = 8;
const CRC_BYTES = 4;
const KEPT: readonly string[] = ['eXIf', 'iCCP', 'iTXt', 'tEXt', 'zTXt'];

/** By colour type (W3C PNG, 11.2.1). A palette, type 3, is decoded to RGB. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/**
 * Reads up to the first chunk that has pixels.
 *
 * @param check ends the walk by throwing
 */
export function* pngStructure(check: (structure: ImageStructure) => void): ChunkParser<FileStructure> {
  const cursor = new ByteCursor();
  yield* cursor.skip(SIGNATURE_BYTES);
  const header = yield* imageHeader(cursor);
  const found = { width: header.width, height: header.height, scans: 1, segments: 0, metadataBytes: 0 };
  const types = new Set<string>();
  for (;;) {
    check(found);
    const length = yield* cursor.uint32();
    const type = String.fromCharCode(...(yield* cursor.take(4)));
    if (type === 'IDAT' || type === 'IEND') break;
    types.add(type);
    found.segments += 1;
    if (KEPT.includes(type)) found.metadataBytes += length;
    yield* cursor.skip(length + CRC_BYTES);
  }
  const channels = header.channels + (types.has('tRNS') ? 1 : 0);
  const bytesPerPixel = header.depth === 16 ? 2 * channels : channels;
  const heldBytes = header.isInterlaced ? header.width * header.height * bytesPerPixel : 0;
  return {
    ...found,
    bytesPerPixel,
    heldBytes,
    maxShrink: 1,
    isArithmetic: false,
    hasExif: types.has('eXIf'),
  };
}

interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
}

/** W3C PNG, 11.2.1. */
function* imageHeader(cursor: ByteCursor): ChunkParser<ImageHeader> {
  yield* cursor.skip(8);
  const [width, height] = [yield* cursor.uint32(), yield* cursor.uint32()];
  const [depth = 0, colourType = 0, , , interlace] = yield* cursor.take(5);
  yield* cursor.skip(CRC_BYTES);
  return { width, height, depth, channels: CHANNELS[colourType] ?? 4, isInterlaced: interlace !== 0 };
}
