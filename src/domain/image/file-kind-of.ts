import type { FileKind } from './file-kind.ts';
import { formatOf } from './format-of.ts';
import type { InputFormat } from './media-type.ts';
import { KIND_BYTES, mediaTypeOf } from './media-type-of.ts';

/** They match the first bytes, each as the character with its number. The first match counts. */
const SIGNATURES: Readonly<Record<Exclude<FileKind, InputFormat | 'other'>, RegExp>> = {
  // CR3 (a brand), CR2 (a TIFF with a mark), RAF, ORF, RW2
  raw: /^(?:[^]{4}ftypcrx |II\*\0[^]{4}CR|FUJIFILMCCD-|IIR[OS]|MMOR|IIU\0)/,
  // ISO/IEC 23000-13 (AVIF) and 23008-12 (HEIF): `ftyp`, the major brand, its version, compatible brands
  avif: /^[^]{4}ftyp(?:[^]{8}(?:[^]{4})*)?avi[fs]/,
  heic: /^[^]{4}ftyp(?:[^]{8}(?:[^]{4})*)?(?:hei[cxms]|hev[cxms]|m[is]f1)/,
  // TIFF 6.0, section 2, and BigTIFF
  tiff: /^(?:II[*+]\0|MM\0[*+])/,
  // BITMAPFILEHEADER: a size, and two reserved fields of 0
  bmp: /^BM[^]{4}\0{4}/,
  // ISO/IEC 18181-2: a codestream, or a file of boxes
  jxl: /^(?:\xff\n|\0{3}\fJXL \r\n\x87\n)/,
  pdf: /^%PDF-/,
  // A byte order mark, white space, instructions and comments may come first. None of them matches beyond its own end: then
  // there is one way to match them all, and a text of comments takes no more time than another.
  svg: /^(?:\xef\xbb\xbf)?(?:\s|<\?(?:(?!\?>)[^])*\?>|<!--(?:(?!-->)[^])*-->)*<(?:!DOCTYPE\s+)?(?:\w+:)?svg[\s>/]/,
};

const KINDS = Object.keys(SIGNATURES) as ReadonlyArray<keyof typeof SIGNATURES>;

/**
 * Reads the first bytes, never the name. If the head has less than `KIND_BYTES` of a longer file, an AVIF that names HEIF first
 * can be `heic`, and an SVG that begins with a declaration `other`.
 */
export function fileKindOf(head: Uint8Array): FileKind {
  const mediaType = mediaTypeOf(head);
  if (mediaType !== undefined) return formatOf(mediaType);
  const begin = firstBox(String.fromCharCode(...head.subarray(0, KIND_BYTES)));
  return KINDS.find((kind) => SIGNATURES[kind].test(begin)) ?? 'other';
}

/** Brands are those of the first box. What follows it can look like one. */
function firstBox(begin: string): string {
  if (!begin.startsWith('ftyp', 4)) return begin;
  const size = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + begin.charCodeAt(at), 0);
  // A size that has no room for the major brand is 0, 1 or wrong.
  return begin.slice(0, Math.max(size, 12));
}
