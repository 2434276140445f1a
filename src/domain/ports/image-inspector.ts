import type { MediaType } from '../image/media-type.ts';
import type { ReadableFile } from './staging-area.ts';

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
   * @param mediaType what the first bytes say it is; anything else is refused
   * @throws {InvalidImage} where it does not decode from end to end, or has too many pixels
   */
  inspect(file: ReadableFile, mediaType: MediaType): Promise<ImageFacts>;
}
