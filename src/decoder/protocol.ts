import type { Box } from '../domain/image/box.ts';
import type { Crop } from '../domain/image/cover-crop.ts';
import type { ImageStructure } from '../domain/image/decode-excess.ts';
import { CAPTURE_ROWS, WRITTEN_FIELDS } from '../domain/image/fields.ts';
import type { ImageHashes, Pixels } from '../domain/image/image-hashes.ts';
import { EMBEDDED_TEXTS, type EmbeddedMetadata } from '../domain/image/image-metadata.ts';
import type { MediaType } from '../domain/image/media-type.ts';
import type { PictureFault } from '../domain/image/picture-faults.ts';
import type { PixelLimits } from '../domain/image/pixel-limits.ts';
import type { Rendition, RenditionFormat } from '../domain/image/rendition.ts';
import { CAMERA_TEXT_MAX_LENGTH } from '../domain/image/time/camera-text.ts';
import { MAX_TAGS, TAG_MAX_LENGTH } from '../domain/image/words/tags.ts';

/**
 * What the service sends: first of all `confine`, then jobs. A job is `open` with the bytes of a file and, if the service lets it go
 * on, a request for that file, else `close`; or `encode` with pixels.
 */
export type Request =
  | Open
  | Inspect
  | Render
  /** Sent when the process cannot open files any more. The user and the group to become; absent: stay. */
  | { readonly kind: 'confine'; readonly user?: number | undefined }
  /** Asks for the parts of the opened file without its metadata; drops it, without a reply. */
  | { readonly kind: 'clean' | 'close' }
  /** Asks for a rendition of pixels. */
  | { readonly kind: 'encode'; readonly pixels: PixelShape; readonly rendition: Rendition };

/** Asks for the structure of a file. */
export interface Open extends PixelLimits {
  readonly kind: 'open';
  readonly mediaType: MediaType;
  /** The size in the record of a stored picture: see `orientationFor`. */
  readonly shown?: Box | undefined;
}

/** Asks for what the opened file shows. */
export interface Inspect {
  readonly kind: 'inspect';
  /** The pixels to return, if they cost no more than the decode that proves the file. Absent: none. */
  readonly wanted?: WantedSize | undefined;
  /** The catalog has accepted the file before: it is read as long as it can be decoded. */
  readonly isStored?: boolean;
}

export interface WantedSize {
  readonly width: number;
  readonly maxBytes: number;
}

/** Asks for a rendition of the opened file. */
export interface Render {
  readonly kind: 'render';
  /** In pixels, as displayed. */
  readonly box: Box;
  readonly rendition: Rendition;
  /** Of the upright image; absent: the middle. */
  readonly crop?: Crop | undefined;
}

export type PixelShape = Omit<Pixels, 'data'>;

/** Sent by the decoder: `warm` once, `confined` once, then one reply for each request but `close`. */
export type Reply =
  | Opened
  | Inspected
  /** The versions of sharp and its libraries. */
  | { readonly kind: 'warm'; readonly versions: Readonly<Record<string, string | undefined>> }
  /** Of `made`, the body is the rendition, or a JSON array of `CleanPart`. */
  | { readonly kind: 'confined' | 'made' }
  /** The rendition has more than `MAX_RENDITION_BYTES`. */
  | { readonly kind: 'too_large' }
  /** The picture is not decoded. `reason` is for the log. */
  | { readonly kind: 'refused'; readonly reason: string; readonly fault: PictureFault };

/** Read no further than up to what is beyond the limits. */
export interface Opened extends ImageStructure {
  readonly kind: 'opened';
  /** Held for the whole of an interlaced, progressive or lossless image. */
  readonly heldBytes: number;
}

/** The body holds the pixels. */
export interface Inspected extends Box {
  readonly kind: 'inspected';
  readonly thumbhash: string;
  readonly hashes: ImageHashes;
  readonly embedded: EmbeddedMetadata;
  readonly pixels?: PixelShape | undefined;
  /** Of a stored file: why an upload of it would be refused. */
  readonly flaw?: PictureFault | undefined;
}

/** RGBA, ready to be encoded. */
export const RAW_PIXEL_BYTES = 4;

/** What an encoder takes for a pixel, with the output, measured on noise at quality 100. */
export const ENCODER_PIXEL_BYTES: Readonly<Record<RenditionFormat, number>> = {
  jpeg: 8,
  png: 8,
  webp: 36,
  avif: 56,
};

/** Code points of the longest texts that a file may have, together. */
const MAX_TEXT_LENGTH = [
  MAX_TAGS * TAG_MAX_LENGTH,
  ...EMBEDDED_TEXTS.map((field) => WRITTEN_FIELDS[field].maxLength),
  ...CAPTURE_ROWS.map(([, { kind, maxLength = CAMERA_TEXT_MAX_LENGTH }]) =>
    kind === 'text' ? maxLength : 0,
  ),
].reduce((sum, length) => sum + length);

/** UTF-8 has up to four bytes for a code point. What JSON escapes in these texts, the quote, the backslash and the line feed, takes two. */
const CODE_POINT_BYTES = 4;

/** Names, numbers, and the quotes and commas between tags. */
const OTHER_BYTES = 4 * 1024;

/** Bytes of the longest message of an honest decoder. */
export const MAX_REPLY_BYTES = MAX_TEXT_LENGTH * CODE_POINT_BYTES + OTHER_BYTES;

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
