/** In sRGB, with EXIF orientation applied and 8 bits a sample. */
export interface UprightPixels {
  readonly width: number;
  readonly height: number;
  /** RGB or RGBA. */
  readonly channels: 3 | 4;
  /** Row by row, without padding. Shared with other readers: not to be changed. */
  readonly data: Uint8Array;
}

/** Pixels that are kept for a while, as long as their memory is needed by nothing else. */
export interface HeldPixels {
  /** `undefined` if they were dropped or released. */
  read(): UprightPixels | undefined;

  release(): void;
}
