import type { LzwFrame, PlacedFrame } from '../../../decoder/protocol.ts';
import type { ImageStructure } from '../../../domain/image/decode-limits.ts';

export interface FileStructure extends ImageStructure {
  /** Bytes of a decoded pixel: palettes become RGB, fewer than 8 bits become 8. */
  readonly bytesPerPixel: number;
  /** All of an interlaced or progressive image. */
  readonly heldBytes: number;
  /** By the decoder itself: 8 for a JPEG, 1 for a PNG. */
  readonly maxShrink: number;
  /** The decoder shrinks by any factor, to the size that is asked for, at the cost of the whole. */
  readonly scalesOnLoad: boolean;
  /** Takes ten times as long to decode as Huffman coding. */
  readonly isArithmetic: boolean;
  /** EXIF may ask for a rotation. */
  readonly hasExif: boolean;
  /** Those of a GIF. */
  readonly lzwFrames?: readonly LzwFrame[];
  /** The first frame of a GIF, if it does not cover the canvas. */
  readonly placed?: PlacedFrame | undefined;
}

/** The part of an `ImageStructure` that readers count up. */
export const NOTHING_FOUND = { frames: 1, scans: 1, segments: 0, metadataBytes: 0, compressedChunks: 0 };

/** The part of a `FileStructure` of a file that is decoded at full size, quickly, and never rotated. */
export const PLAIN_DECODE = { maxShrink: 1, scalesOnLoad: false, isArithmetic: false, hasExif: false };

/** A structure, with the parts of the file that are judged by their content. */
export interface ParsedFile {
  readonly structure: FileStructure;
  readonly compressed?: readonly CompressedChunk[];
  /** Up to `PROFILE_HEAD_BYTES` of a profile that is not compressed. */
  readonly profileHead?: Uint8Array | undefined;
}

/** A text or a profile that decoders inflate. */
export interface CompressedChunk {
  readonly isProfile: boolean;
  /** RFC 1950. */
  readonly zlibStream: Uint8Array;
}

/** ICC.1:2022, 7.2 and 7.3. */
export const PROFILE_HEADER_BYTES = 128;
export const PROFILE_COUNT_BYTES = 4;
export const PROFILE_ENTRY_BYTES = 12;

/** Real profiles have up to 30, and lcms reads no more. */
export const MAX_PROFILE_TAGS = 100;

/** Bytes from the start of a colour profile that show whether it is expensive. */
export const PROFILE_HEAD_BYTES =
  PROFILE_HEADER_BYTES + PROFILE_COUNT_BYTES + MAX_PROFILE_TAGS * PROFILE_ENTRY_BYTES;
