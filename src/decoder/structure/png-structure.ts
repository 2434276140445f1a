import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import { ByteCursor } from './byte-cursor.ts';
import { type CompressedChunk, NOTHING_FOUND, type ParsedFile } from './file-structure.ts';

const SIGNATURE_BYTES = 8;
const CRC_BYTES = 4;
/** libpng keeps these, and skips what it does not know, however long. */
const KEPT: readonly string[] = ['eXIf', 'iCCP', 'iTXt', 'pCAL', 'sCAL', 'sPLT', 'tEXt', 'zTXt'];

/** The inflated bytes count as well. */
const COMPRESSIBLE: readonly string[] = ['iCCP', 'iTXt', 'zTXt'];

/** By colour type (W3C PNG, 11.2.1). A palette, type 3, is decoded to RGB. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/**
 * Reads up to the first chunk that has pixels.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function pngStructure(file: Buffer, check: (structure: ImageStructure) => void): ParsedFile {
  const cursor = new ByteCursor(file);
  cursor.skip(SIGNATURE_BYTES);
  const header = imageHeader(cursor);
  const { width, height } = header;
  const found = { ...NOTHING_FOUND, width, height };
  const compressed: CompressedChunk[] = [];
  const types = new Set<string>();
  check(found);
  for (;;) {
    const length = cursor.uint32();
    const type = String.fromCharCode(...cursor.take(4));
    if (type === 'IDAT' || type === 'IEND') break;
    types.add(type);
    found.segments += 1;
    if (KEPT.includes(type)) found.metadataBytes += length;
    check(found);
    const data = cursor.take(length);
    const zlibStream = COMPRESSIBLE.includes(type) ? readCompressed(type, data) : undefined;
    if (zlibStream !== undefined) {
      found.compressedChunks = compressed.push({ isProfile: type === 'iCCP', zlibStream });
    }
    cursor.skip(CRC_BYTES);
  }
  check(found);
  const channels = header.channels + (types.has('tRNS') ? 1 : 0);
  const bytesPerPixel = header.depth === 16 ? 2 * channels : channels;
  const heldBytes = header.isInterlaced ? header.width * header.height * bytesPerPixel : 0;
  const structure = {
    ...found,
    bytesPerPixel,
    heldBytes,
    hasExif: types.has('eXIf'),
  };
  return { structure, compressed };
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
  readonly isInterlaced: boolean;
}

/** W3C PNG, 11.2.1. */
function imageHeader(cursor: ByteCursor): ImageHeader {
  cursor.skip(8);
  const [width, height] = [cursor.uint32(), cursor.uint32()];
  const [depth = 0, colourType = 0, , , interlace] = cursor.take(5);
  cursor.skip(CRC_BYTES);
  return { width, height, depth, channels: CHANNELS[colourType] ?? 4, isInterlaced: interlace !== 0 };
}
