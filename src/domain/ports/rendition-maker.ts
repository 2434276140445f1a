import type { Image } from '../image/image.ts';
import type { Rendition } from '../image/rendition.ts';
import type { OpenedBlob } from './blob-store.ts';

/** Lets go of work that has not begun; the part of the platform's `AbortSignal` that is needed here. */
export interface Cancellation {
  readonly aborted: boolean;
}

export interface RenditionSource {
  readonly image: Image;
  /** Opens the original; called once the work begins. */
  readonly open: () => Promise<OpenedBlob>;
}

/** Makes renditions out of originals. */
export interface RenditionMaker<Signal extends Cancellation = Cancellation> {
  /** Changes whenever the same rendition would come out as other bytes; fit for a file name. */
  readonly version: string;

  /**
   * Upright, in sRGB, without EXIF, GPS and XMP, never enlarged. The same version makes the same bytes.
   *
   * @param signal takes back what has not begun
   * @throws {InvalidImage} where the original cannot be decoded in time
   * @throws {Overloaded} where too much is waiting already
   * @throws what `source.open` throws
   */
  make(source: RenditionSource, rendition: Rendition, signal: Signal): Promise<Uint8Array>;
}
