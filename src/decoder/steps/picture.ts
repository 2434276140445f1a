import type { Metadata, Sharp } from 'sharp';
import type { Box } from '../../domain/image/box.ts';
import type { CleanPart } from '../../domain/image/clean-parts.ts';
import type { Crop } from '../../domain/image/cover-crop.ts';
import type { Pixels } from '../../domain/image/image-hashes.ts';
import type { EmbeddedMetadata } from '../../domain/image/image-metadata.ts';
import type { PictureFault } from '../../domain/image/picture-faults.ts';
import type { Rendition } from '../../domain/image/rendition.ts';
import type { Inspected, PixelShape, WantedSize } from '../protocol.ts';
import type { OpenedFile } from '../structure/file-structure.ts';
import type { LibjpegReports } from './libjpeg-reports.ts';

/**
 * The state of a picture on its way through a decoder. The parameter of a step names the parts that the step reads, its result the
 * parts that it writes.
 */
export interface Picture extends OpenedFile {
  /** The catalog has accepted the file before. */
  readonly isStored: boolean;
  readonly wanted: WantedSize | undefined;
  readonly rendition: Rendition;
  /** The size of the rendition in pixels: as displayed, or as stored in the file after `orientLater`. */
  readonly box: Box;
  /** Set if the rendition does not show the middle of the picture. Turned like `box`. */
  readonly crop?: Crop | undefined;

  /** As libvips reads it. */
  readonly header: Metadata;
  /** The block that tells decoders of the clean original how to turn it. */
  readonly cleanExif: Buffer | undefined;
  /** The parts of the file that make up the clean original. */
  readonly parts: readonly CleanPart[];
  /** The first fault for which an upload is refused, while a stored picture is still read. */
  readonly flaw: PictureFault | undefined;
  readonly embedded: EmbeddedMetadata;
  /** The size of the picture as displayed. */
  readonly size: Box;
  /** Whether libvips makes the picture upright while it decodes it. */
  readonly turnsWhileDecoding: boolean;
  /** Where the codes of the first frame of a GIF end, if that has been looked up. */
  readonly lzwEnd?: LzwEnd | undefined;
  readonly source: PreparedSource;
  /** The pixels to return with an inspection. */
  readonly wantedBox: Box | undefined;
  /** What libjpeg reports while the pixels of `source` are decoded. */
  readonly reports?: LibjpegReports | undefined;
  /** Operations that libvips has not begun yet. */
  readonly image: Sharp;
  readonly pixels: Pixels;
  readonly wantedPixels: Pixels | undefined;
  /** RGBA, for the placeholder and the hashes. */
  readonly small: Pixels;

  readonly encoded: Buffer;
  /** `parts` as JSON. */
  readonly written: Buffer;
  readonly reply: Inspected;
  /** The body of the reply. */
  readonly body: readonly Uint8Array[];
}

export type Of<Part extends keyof Picture> = Pick<Picture, Part>;

/** Where the codes of a frame end that has all its pixels: with the last bit of its data, or before it. */
export type LzwEnd = 'last bit' | 'earlier';

/** A file or pixels, as sharp takes them. */
export interface PreparedSource {
  /** All bytes of a file, or pixels. */
  readonly input: Uint8Array;
  /** The shape of the pixels; absent for a file. */
  readonly raw?: PixelShape | undefined;
  /** The colour space in which sharp works before it applies a colour profile; absent: the one of the picture. */
  readonly pipelineColourspace?: 'srgb' | 'b-w' | undefined;
}
