import type { Visit } from '../structure/file-structure.ts';

export interface CleanSource {
  readonly file: Buffer;
  /** See `FileStructure`. */
  readonly profileAt: readonly number[];
  /** The only EXIF that the clean file has. */
  readonly exif: Buffer | undefined;
}

/** Keeps what belongs to the picture, and drops everything else. */
export interface Cleaner {
  readonly visit: Visit;

  /** Called behind the last part. */
  end(): void;
}
