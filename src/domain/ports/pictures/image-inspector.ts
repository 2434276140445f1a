import type { NewImage } from '../../image/image.ts';
import type { ImageHashes } from '../../image/image-hashes.ts';
import type { EmbeddedMetadata } from '../../image/image-metadata.ts';
import type { MediaType } from '../../image/media-type.ts';
import type { PictureFault } from '../../image/picture-faults.ts';
import type { ReadableBytes } from '../bytes/readable-bytes.ts';
import type { Cancellation } from '../process/cancellation.ts';
import type { HeldPixels } from './held-pixels.ts';

export interface ImageFacts extends Pick<NewImage, 'width' | 'height' | 'frames' | 'thumbhash'> {
  readonly hashes: ImageHashes;
}

export interface Inspection {
  readonly facts: ImageFacts;
  readonly embedded: EmbeddedMetadata;
  /** The decode that proved the file had them at no further cost. The caller releases them. */
  readonly pixels?: HeldPixels | undefined;
  /** Of a stored file: why an upload of it would be refused. `undefined` if an upload would be accepted. */
  readonly flaw?: PictureFault | undefined;
}

export interface InspectedFile extends ReadableBytes {
  /** Lower-case hex. A file that cost too much is not decoded again for some time. */
  readonly sha256: string;
}

export interface InspectionRequester {
  /** Cancels an inspection that has not begun, or has begun a moment ago. */
  readonly signal: Cancellation;
  /** Takes turns with others. Empty for the service itself. */
  readonly subject: string;
  /**
   * A catalog has accepted the file before, perhaps by other rules: it is refused only if it cannot be decoded, even if image data is
   * missing or it has no clean original.
   */
  readonly isStored?: boolean;
}

/** Proves by decoding that a file is a complete image. */
export interface ImageInspector {
  /**
   * Reads the file more than once.
   *
   * @throws {ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} and the reason of `requester.signal`
   */
  inspect(file: InspectedFile, mediaType: MediaType, requester: InspectionRequester): Promise<Inspection>;
}
