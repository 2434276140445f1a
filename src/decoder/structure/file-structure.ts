import type { Box } from '../../domain/image/box.ts';
import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PngColours } from '../colours/png-colours.ts';
import type { FileRange } from './file-range.ts';
import type { PngColourChunks } from './png-colour-chunks.ts';

/** The pixels of a frame of a GIF. */
export interface LzwFrame {
  /** Where its code size is in the file, in bytes. */
  readonly at: number;
  readonly pixels: number;
}

/** How the samples of a PNG stand for colours. */
export interface PngSamples {
  readonly colours: PngColours;
  readonly isGrey: boolean;
  /** Whether a sample has 16 bits. */
  readonly is16Bit: boolean;
  /** Chunks with a colour profile by which decoders must not convert the colours. */
  readonly ignoredProfiles: readonly FileRange[];
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
  /**
   * Where each EXIF block from which decoders may take an orientation is in the file, in bytes: all segments of a JPEG, the first
   * chunk of a WebP, and the chunks of a PNG that precede the pixels and have the right checksum.
   */
  readonly exif?: readonly FileRange[];
  /** Where the EXIF chunks of a PNG are whose checksum is wrong. Behind such a chunk libpng finds no EXIF. */
  readonly damagedExif?: readonly FileRange[];
  /** As in EXIF; absent: 1. */
  readonly orientation?: number;
  /** Where the parts of the colour profile of a JPEG or WebP are in the file, in bytes. None if it is not whole, or no profile. */
  readonly profileAt?: readonly number[];
  /**
   * Where the signatures of parts that decoders must not read are in the file, in bytes: parts of a colour profile that is not usable,
   * and segments of a JPEG that only libvips takes for EXIF. See `isUsableProfile`.
   */
  readonly ignoredAt?: readonly number[];
  /** How the samples of a PNG stand for colours; absent for other kinds. */
  readonly png?: PngSamples;
  /** Those of a GIF. */
  readonly lzwFrames?: readonly LzwFrame[];
  /** The first frame of a GIF, if it does not cover the canvas. */
  readonly placed?: PlacedFrame | undefined;
}

/** Ends the walk over a structure by throwing. */
export type Check = (structure: ImageStructure) => void;

/**
 * Called for each part of a file, in their order. Readers with a visitor go on to the end of the picture.
 *
 * @param type what readers have found out, such as `frame`, else the marker of a JPEG, the type of a chunk, or the label of an
 * extension of a GIF
 * @param start of the content, in bytes of the file; of a GIF, of the whole part
 */
export type Visit = (type: string | number, start: number, end: number) => void;

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
  /** Bytes in front of the file in its memory that may be overwritten; absent: none. */
  readonly headroom?: number;
}

/** A structure, with the parts of the file that are judged by their content. */
export interface ParsedFile {
  readonly structure: FileStructure;
  readonly compressed?: readonly CompressedChunk[];
  readonly png?: PngHeader;
  /** That is not compressed. */
  readonly profile?: Uint8Array | undefined;
}

/** What a PNG says about its samples, before the content of its profile is known. */
export interface PngHeader {
  readonly isGrey: boolean;
  readonly is16Bit: boolean;
  readonly chunks: PngColourChunks;
}

/** The content of an `iCCP`. */
export interface ProfileChunk extends FileRange {
  /** Its checksum is right, and it is not after the palette, where decoders ignore it. */
  readonly isReadable: boolean;
}

/** A text or a profile that decoders inflate. */
export interface CompressedChunk {
  /** Absent: it is a text. */
  readonly profile?: ProfileChunk | undefined;
  /** RFC 1950. */
  readonly zlibStream: Uint8Array;
}
