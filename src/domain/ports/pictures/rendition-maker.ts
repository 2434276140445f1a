import type { Image } from '../../image/image.ts';
import type { MediaType } from '../../image/media-type.ts';
import type { Derivative } from '../../image/rendition.ts';
import type { OpenedBlob } from '../bytes/readable-bytes.ts';
import type { Cancellation } from '../process/cancellation.ts';
import type { HeldPixels } from './held-pixels.ts';

export interface RenditionSource {
  readonly image: Image;
  /** Called when the work begins. */
  readonly open: () => Promise<OpenedBlob>;
  /** The pixels of the original, used instead of it if they give the same bytes. */
  readonly pixels?: HeldPixels | undefined;
}

export interface RenditionRequester {
  /** Cancels a rendition that has not begun, or has begun a moment ago. */
  readonly signal: Cancellation;
  /** Has a share of the waiting renditions, and takes turns with others. Empty for the service itself. */
  readonly subject: string;
  /** No client waits: made only if it takes neither a decoder nor memory from others, else rejected with `Overloaded`. */
  readonly isAhead?: boolean;
}

export interface RenditionMaker {
  /** Changes whenever the same clean file, or the same rendition of any kind of picture, would have other bytes. Safe in a file name. */
  readonly version: string;

  /** Changes whenever the same rendition of this kind of picture would have other bytes. Safe in a file name. */
  versionOf(mediaType: MediaType): string;

  /**
   * Calls `keep` with the bytes of the file, and resolves when `keep` does: until then the file counts as being made, so that few are
   * in memory at a time. A rendition is upright, in sRGB, without EXIF, GPS and XMP, never enlarged. For a clean file: its parts, an array of `CleanPart`
   * as JSON, which keep the encoded picture.
   *
   * @throws {ImageBeyondLimits | InvalidImage | RenditionTooLarge | Overloaded} and what `source.open` and `keep` throw
   */
  make(
    source: RenditionSource,
    rendition: Derivative,
    requester: RenditionRequester,
    keep: (bytes: Uint8Array) => Promise<void>,
  ): Promise<void>;
}
