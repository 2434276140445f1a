import type { MediaType } from '../image/media-type.ts';
import type { Cancellation } from './cancellation.ts';
import type { ReadableBytes } from './readable-bytes.ts';

export interface ImageFacts {
  /** Pixels as a viewer shows it: EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly thumbhash: string;
}

/** Proves by decoding that a file is a complete image. */
export interface ImageInspector {
  /**
   * @param file is read more than once
   * @param mediaType according to the first bytes; a file of another type is refused
   * @param signal cancels an inspection that has not begun
   * @throws {ImageBeyondLimits} if decoding it could cost more than one image may
   * @throws {InvalidImage} if it does not decode from end to end
   * @throws {Overloaded} if too much is being decoded
   * @throws the reason of `signal` if that cancels the inspection
   */
  inspect(file: ReadableBytes, mediaType: MediaType, signal: Cancellation): Promise<ImageFacts>;
}
