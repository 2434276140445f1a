import type { MediaType } from './media-type.ts';
import type { PixelLimits } from './pixel-limits.ts';

export interface ImageStructure {
  /** Pixels as stored: EXIF orientation not applied. */
  readonly width: number;
  readonly height: number;
  /** Each costs as much as the whole picture. */
  readonly frames: number;
  /** 1 for all but JPEG. */
  readonly scans: number;
  /** Marker segments of a JPEG, chunks in front of the pixels of a PNG, chunks of a WebP, or blocks of a GIF. */
  readonly segments: number;
  /** Bytes that a decoder keeps: EXIF, XMP, IPTC, palettes, colour profile and texts, but no comments. */
  readonly metadataBytes: number;
  /** Texts and profiles of a PNG. */
  readonly compressedChunks: number;
  /** The size of an arithmetic-coded file, which takes ten times as long to decode as with Huffman coding; else 0. */
  readonly arithmeticBytes: number;
  readonly costlyProfile?: CostlyProfile | undefined;
}

/** The tags of a colour profile at most. Real ones have up to 30, lcms reads no more than this, and one that has more is ignored. */
export const MAX_PROFILE_TAGS = 100;

/** What makes a colour profile expensive. */
export const COSTLY_PROFILES = ['multi-process elements', 'overlapping tables'] as const;

export type CostlyProfile = (typeof COSTLY_PROFILES)[number];

/** Pixels: the maximum of the JPEG format. A decoder's memory grows with the width. */
const MAX_SIDE = 65_535;

/** A decoder visits every block in every scan, even if the scan has few bytes. */
const MAX_SCANS = 100;

/** Pixels times scans. */
const MAX_SCANNED_PIXELS = 2_000_000_000;

/** A decoder needs about half a millisecond for a frame of one pixel. */
const MAX_FRAMES = 2000;

/** A decoder allocates up to 250 bytes for an empty segment. Photos have some hundred segments. */
const MAX_SEGMENTS = 100_000;

/** Applies to all but PNG. A decoder holds up to five copies of the metadata. */
const MAX_METADATA_BYTES = 12 * 1024 * 1024;

/** Applies to a PNG. A decoder holds up to 20 copies of a text, and may use 10 bytes for each pixel beside a fixed amount. */
const BASE_TEXT_BYTES = 3 * 1024 * 1024;

const TEXT_BYTES_PER_PIXEL = 0.5;

/** libpng keeps no more texts. */
const MAX_COMPRESSED_CHUNKS = 100;

/** A file of this size takes 3 s. Few programs write arithmetic-coded files, and few browsers show them. */
const MAX_ARITHMETIC_BYTES = 16 * 1024 * 1024;

export function maxMetadataBytes({ width, height }: ImageStructure, mediaType: MediaType): number {
  if (mediaType !== 'image/png') return MAX_METADATA_BYTES;
  return Math.min(MAX_METADATA_BYTES, BASE_TEXT_BYTES + Math.floor(TEXT_BYTES_PER_PIXEL * width * height));
}

/** What is beyond the limits, as a verb and its object; `undefined` if nothing is. */
export function decodeExcess(
  structure: ImageStructure,
  mediaType: MediaType,
  limits: PixelLimits,
): string | undefined {
  const part = tooManyPixels(structure, limits) ?? costlyPart(structure, mediaType);
  if (part !== undefined) return `has ${part}`;
  if (structure.arithmeticBytes <= MAX_ARITHMETIC_BYTES) return undefined;
  return `is arithmetic-coded and has more than ${MAX_ARITHMETIC_BYTES} bytes`;
}

/** Only an animation has more than one frame: a still picture is judged by its own pixels. */
function tooManyPixels(
  { width, height, frames }: ImageStructure,
  { maxPixels, maxFramePixels }: PixelLimits,
): string | undefined {
  const pixels = width * height;
  const framePixels = pixels * frames;
  if (frames > MAX_FRAMES) return `more than ${MAX_FRAMES} frames`;
  if (pixels > maxPixels) return `${pixels} pixels (${width} × ${height}), and ${maxPixels} are allowed`;
  if (frames === 1 || framePixels <= maxFramePixels) return undefined;
  return `${framePixels} pixels in its ${frames} frames (${width} × ${height} each), and ${maxFramePixels} are allowed`;
}

function costlyPart(structure: ImageStructure, mediaType: MediaType): string | undefined {
  const { width, height, scans, segments, metadataBytes, compressedChunks, costlyProfile } = structure;
  const maxMetadata = maxMetadataBytes(structure, mediaType);
  if (Math.max(width, height) > MAX_SIDE) return `a side of more than ${MAX_SIDE} pixels`;
  if (scans > MAX_SCANS) return `more than ${MAX_SCANS} scans`;
  if (width * height * scans > MAX_SCANNED_PIXELS) return 'more than 2000 megapixels times scans';
  if (segments > MAX_SEGMENTS) return `more than ${MAX_SEGMENTS} segments`;
  if (compressedChunks > MAX_COMPRESSED_CHUNKS) {
    return `more than ${MAX_COMPRESSED_CHUNKS} compressed texts and profiles`;
  }
  if (metadataBytes > maxMetadata) return `more than ${maxMetadata} bytes of metadata`;
  if (costlyProfile !== undefined) return `a colour profile with ${costlyProfile}`;
  return undefined;
}
