import type { ImageStructure } from '../../domain/image/decode-limits.ts';

/** What a file says of the work that decoding it will be. */
export interface FileStructure extends ImageStructure {
  /** Of a decoded pixel: palettes become RGB, fewer than 8 bits become 8. */
  readonly bytesPerPixel: number;
  /** What the decoder holds from the first pixel to the last: all of an interlaced or progressive picture. */
  readonly heldBytes: number;
  /** The largest factor by which the decoder itself can make the picture smaller: 8 for a JPEG, 1 for a PNG. */
  readonly maxShrink: number;
  /** Arithmetic coding takes ten times as long to decode as Huffman's. */
  readonly isArithmetic: boolean;
  /** Whether an EXIF block may ask for a rotation. */
  readonly hasExif: boolean;
}
