import type { Box } from '../../domain/image/box.ts';
import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import type { MediaType } from '../../domain/image/media-type.ts';

/** The pixels of a frame of a GIF. */
export interface LzwFrame {
  /** Where its code size is in the file, in bytes. */
  readonly at: number;
  readonly pixels: number;
}

/** A frame that does not cover its canvas. */
export interface PlacedFrame extends Box {
  readonly left: number;
  readonly top: number;
  readonly canvas: Box;
  /** Where the flags of its graphic control are in the file, in bytes. */
  readonly flagsAt?: number | undefined;
}

export interface FileStructure extends ImageStructure {
  /** Bytes of a decoded pixel: palettes become RGB, fewer than 8 bits become 8. */
  readonly bytesPerPixel: number;
  /** All of an interlaced or progressive image. */
  readonly heldBytes: number;
  /** EXIF may ask for a rotation. */
  readonly hasExif: boolean;
  /** Those of a GIF. */
  readonly lzwFrames?: readonly LzwFrame[];
  /** The first frame of a GIF, if it does not cover the canvas. */
  readonly placed?: PlacedFrame | undefined;
}

/** The part of an `ImageStructure` that readers count up. */
export const NOTHING_FOUND = {
  frames: 1,
  scans: 1,
  segments: 0,
  metadataBytes: 0,
  compressedChunks: 0,
  arithmeticBytes: 0,
};

export interface OpenedFile {
  readonly file: Buffer;
  readonly mediaType: MediaType;
  readonly structure: FileStructure;
}

/** A structure, with the parts of the file that are judged by their content. */
export interface ParsedFile {
  readonly structure: FileStructure;
  readonly compressed?: readonly CompressedChunk[];
  /** That is not compressed. */
  readonly profile?: Uint8Array | undefined;
}

/** A text or a profile that decoders inflate. */
export interface CompressedChunk {
  readonly isProfile: boolean;
  /** RFC 1950. */
  readonly zlibStream: Uint8Array;
}
