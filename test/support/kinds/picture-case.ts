import type { MediaType } from '../../../src/domain/image/media-type.ts';

/** What an upload must get. `width` and `height` are as displayed. */
export type ExpectedUpload =
  | { readonly status: 201; readonly width: number; readonly height: number; readonly frames: number }
  | { readonly status: 413 | 415 | 422 };

/** A file of a corpus, and what its upload must get if all formats are accepted. */
export interface PictureCase {
  readonly name: string;
  readonly mediaType: MediaType;
  readonly expected: ExpectedUpload;
  readonly read: () => Buffer | Promise<Buffer>;
}

/** For the 413 of a file that is larger than the limit of the service. */
export const MAX_UPLOAD_BYTES = 16_000_000;
