import type { Appearance } from '../image/appearance.ts';
import type { MediaType } from '../image/media-type.ts';
import type { EmbeddedMetadata } from '../image/metadata.ts';
import type { Cancellation } from './cancellation.ts';
import type { HeldPixels } from './held-pixels.ts';
import type { ReadableBytes } from './readable-bytes.ts';

export interface ImageFacts {
  /** Pixels, EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly thumbhash: string;
  readonly appearance: Appearance;
}

export interface Inspection {
  readonly facts: ImageFacts;
  readonly embedded: EmbeddedMetadata;
  /** From the decode that proved the file, if it had them at no further cost. The caller releases them. */
  readonly pixels?: HeldPixels | undefined;
}

/** Proves by decoding that a file is a complete image. */
export interface ImageInspector {
  /**
   * Reads the file more than once. `signal` cancels an inspection that has not begun.
   *
   * @throws {ImageBeyondLimits | InvalidImage | Overloaded} and the reason of `signal`
   */
  inspect(file: ReadableBytes, mediaType: MediaType, signal: Cancellation): Promise<Inspection>;
}
