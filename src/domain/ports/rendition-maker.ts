import type { Image } from '../image/image.ts';
import type { Rendition } from '../image/rendition.ts';
import type { Cancellation } from './cancellation.ts';
import type { OpenedBlob } from './readable-bytes.ts';

export interface RenditionSource {
  readonly image: Image;
  /** Opens the original; called when the work begins. */
  readonly open: () => Promise<OpenedBlob>;
}

/** The client that a rendition is made for. */
export interface RenditionRequester {
  /** Cancels a rendition that has not begun. */
  readonly signal: Cancellation;
  /** Has a share of the renditions that wait to be made. */
  readonly subject: string;
}

export interface RenditionMaker {
  /** Changes whenever the same rendition would have other bytes. Safe as part of a file name. */
  readonly version: string;

  /**
   * Makes a rendition: upright, in sRGB, without EXIF, GPS and XMP, never enlarged. The same version makes the same bytes.
   *
   * @throws {ImageBeyondLimits} if decoding the original could cost more than one image may
   * @throws {InvalidImage} if the original cannot be decoded in time
   * @throws {Overloaded} if too much is being decoded, or too many renditions of this subject wait
   * @throws what `source.open` throws
   */
  make(source: RenditionSource, rendition: Rendition, requester: RenditionRequester): Promise<Uint8Array>;
}
