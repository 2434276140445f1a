import type { Crop } from '../domain/image/focus.ts';
import type { ImageHashes, Pixels } from '../domain/image/image-hashes.ts';
import type { MediaType } from '../domain/image/media-type.ts';
import type { Box, Rendition } from '../domain/image/rendition.ts';

/** What the service sends: first of all `confine`, then one job at a time, each with the bytes of a file or pixels. */
export type Request = Confine | Inspect | Render | Encode;

/** Sent when the process cannot open files any more. */
export interface Confine {
  readonly kind: 'confine';
  /** The user and the group to become; absent: stay. */
  readonly user?: number | undefined;
}

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

/** Asks for what the bytes of a file show. */
export interface Inspect {
  readonly kind: 'inspect';
  readonly mediaType: MediaType;
  /** As stored: EXIF orientation not applied. */
  readonly stored: Box;
  readonly frames: number;
  /** Those of a GIF. */
  readonly lzwFrames?: readonly LzwFrame[] | undefined;
  /** The first frame of a GIF, if it does not cover the canvas. */
  readonly placed?: PlacedFrame | undefined;
  /** The pixels to return, if the image is shown as it is stored, or on its side. Absent: none. */
  readonly wanted?: Box | undefined;
  readonly wantedOnItsSide?: Box | undefined;
}

/** Asks for a rendition of the bytes of a file. */
export interface Render {
  readonly kind: 'render';
  readonly maxPixels: number;
  /** The first frame of a GIF, if it does not cover the canvas. */
  readonly placed?: PlacedFrame | undefined;
  /** In pixels, as displayed. */
  readonly box: Box;
  readonly rendition: Rendition;
  /** Of the upright image; absent: the middle. */
  readonly crop?: Crop | undefined;
  /** The decoder releases its memory before the encoder begins. */
  readonly inTwoStages: boolean;
}

/** Asks for a rendition of pixels. */
export interface Encode {
  readonly kind: 'encode';
  readonly pixels: PixelShape;
  readonly rendition: Rendition;
}

export type PixelShape = Omit<Pixels, 'data'>;

/** Sent by the decoder: `warm` once, `confined` once, then one reply for each job. */
export type Reply = Warm | Confined | Inspected | Rendered | Refused;

export interface Warm {
  readonly kind: 'warm';
  /** The versions of sharp and its libraries. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

export interface Confined {
  readonly kind: 'confined';
}

/** The body holds the blocks of metadata, then the pixels. */
export interface Inspected extends Box {
  readonly kind: 'inspected';
  readonly thumbhash: string;
  readonly hashes: ImageHashes;
  /** Bytes. */
  readonly blocks: { readonly exif: number; readonly iptc: number; readonly xmp: number };
  readonly pixels?: PixelShape | undefined;
}

/** The body is the rendition. */
export interface Rendered {
  readonly kind: 'rendered';
}

/** The image is truncated or corrupt. */
export interface Refused {
  readonly kind: 'refused';
  /** For the log. */
  readonly reason: string;
}

export interface Frame {
  readonly message: unknown;
  readonly body: Buffer;
}

/** Bytes of the lengths of message and body, at the beginning of a frame. */
export const PREFIX_BYTES = 8;

export interface FramePrefix {
  readonly messageBytes: number;
  readonly bodyBytes: number;
}

export function prefixOf(bytes: Buffer): FramePrefix {
  return { messageBytes: bytes.readUInt32BE(0), bodyBytes: bytes.readUInt32BE(4) };
}

/** The beginning of a frame. The body follows. */
export function frameHead(message: Request | Reply, bodyBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(bodyBytes, 4);
  return Buffer.concat([prefix, json]);
}
