import type { ImageStructure } from '../../domain/image/decode-limits.ts';

/** What the headers and markers of a file say about the work of decoding it. */
export interface FileStructure extends ImageStructure {
  /** Bytes of a decoded pixel: palettes become RGB, fewer than 8 bits become 8. */
  readonly bytesPerPixel: number;
  /** Bytes that the decoder holds throughout: all of an interlaced or progressive picture. */
  readonly heldBytes: number;
  /** The largest factor by which the decoder itself can shrink the picture: 8 for a JPEG, 1 for a PNG. */
  readonly maxShrink: number;
  /** Arithmetic coding takes ten times as long to decode as Huffman coding. */
  readonly isArithmetic: boolean;
  /** Whether an EXIF block may ask for a rotation. */
  readonly hasExif: boolean;
}
