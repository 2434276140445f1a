import { crc32, inflateSync } from 'node:zlib';
import { MAX_EXIF_BLOCKS } from './find-exif.ts';
import { MAX_XMP_BYTES } from './read-xmp.ts';

/** Metadata of a PNG, from either side of its pixels. */
export interface PngBlocks {
  readonly exif: readonly Uint8Array[];
  readonly xmp: Uint8Array | undefined;
}

const SIGNATURE_BYTES = 8;
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
const [EXIF, TEXT, END] = [0x65584966, 0x69545874, 0x49454e44];
const XMP_KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');

/**
 * Finds up to `MAX_EXIF_BLOCKS` chunks `eXIf`, and the first XMP packet, which Adobe puts into an `iTXt`. Chunks whose CRC is wrong
 * are ignored. Reads as far as the structure is right. One loop without calls for most chunks: a hostile file may have millions of empty ones.
 */
export function readPngBlocks(file: Buffer): PngBlocks {
  const exif: Buffer[] = [];
  let xmp: Buffer | undefined;
  for (let at = SIGNATURE_BYTES; at + HEAD_BYTES <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.readUInt32BE(at + 4);
    const start = at + HEAD_BYTES;
    at = start + length + CRC_BYTES;
    if (type === END || at > file.length) break;
    if (type !== EXIF && type !== TEXT) continue;
    const data = file.subarray(start, start + length);
    const isWanted =
      type === EXIF ? exif.length < MAX_EXIF_BLOCKS : xmp === undefined && beginsWith(data, XMP_KEYWORD);
    if (!isWanted || !hasItsCrc(file, start, start + length)) continue;
    if (type === EXIF) exif.push(data);
    else xmp = data;
  }
  return { exif, xmp: xmp && textOf(xmp) };
}

/** Whether the checksum of a chunk with this content is right. */
export function hasItsCrc(file: Buffer, start: number, end: number): boolean {
  return crc32(file.subarray(start - 4, end)) === file.readUInt32BE(end);
}

function beginsWith(data: Buffer, prefix: Buffer): boolean {
  return data.subarray(0, prefix.length).equals(prefix);
}

/** W3C PNG, 11.3.3.4: after the keyword a flag, the method, a language and a translated keyword. */
function textOf(data: Buffer): Uint8Array | undefined {
  const flagAt = XMP_KEYWORD.length;
  const languageEnd = data.indexOf(0, flagAt + 2);
  const keywordEnd = languageEnd === -1 ? -1 : data.indexOf(0, languageEnd + 1);
  if (keywordEnd === -1) return undefined;
  const text = data.subarray(keywordEnd + 1);
  return data[flagAt] === 1 ? inflate(text) : text;
}

function inflate(stream: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(stream, { maxOutputLength: MAX_XMP_BYTES });
  } catch {
    return undefined;
  }
}
