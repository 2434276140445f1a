import type { Visit } from '../structure/file-structure.ts';

export interface CleanSource {
  readonly file: Buffer;
  /** See `FileStructure`. */
  readonly profileAt: readonly number[];
  /** As in EXIF; 1 if the pixels are upright. */
  readonly orientation: number;
}

/** Keeps what belongs to the picture, and drops everything else. */
export interface Cleaner {
  readonly visit: Visit;

  /** Called behind the last part. */
  end(): void;
}
