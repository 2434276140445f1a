/** Compared with an earlier run: a file with the same size and time counts as unchanged. */
export interface FoundFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedMs: number;
}

export type WalkEntry =
  | { readonly kind: 'file'; readonly file: FoundFile }
  /** A link, a hidden or a system file, a folder of such files, what the caller excludes, or no file at all. */
  | { readonly kind: 'skipped'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly code: string };

export interface FileDigest {
  /** Lower-case hex. */
  readonly sha256: string;
  /** `SIGNATURE_BYTES` or more if the file has as many. */
  readonly head: Uint8Array;
  /** All bytes of a small file, which need not be read again. */
  readonly bytes?: Uint8Array | undefined;
}

/** A folder of images. Methods reject with `FileUnreadable` if a file has vanished or cannot be read. */
export interface ImportSource {
  /** Takes bounded memory. Yields files in no order. */
  walk(): AsyncIterable<WalkEntry>;

  digest(file: FoundFile): Promise<FileDigest>;

  read(file: FoundFile): AsyncIterable<Uint8Array>;
}

export class FileUnreadable extends Error {
  /** @param code such as `EACCES` */
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`The file cannot be read: ${code}`, options);
  }
}
