import type { Cancellation } from '../process/cancellation.ts';

/** What people say about an image: fields of `WRITTEN_FIELDS`, passed on unchanged. */
export type ImportMetadata = Readonly<Record<string, unknown>>;

export interface ImportUpload {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Repeated uploads under one key lead to one image. */
  readonly idempotencyKey: string;
  readonly metadata: ImportMetadata | undefined;
  /** The file is one of an export: a catalog has accepted it before. */
  readonly isExported: boolean;
  /** Begins at the first byte each time. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

export interface ImportedImage {
  readonly id: number;
  /** Why the catalog would have refused the file if it were not one of an export, as a sentence. */
  readonly flaw?: string | undefined;
}

/** Methods reject with `ImportError`, and with errors of `upload.read`. */
export interface ImportTarget {
  /** Ids by lower-case digest; digests without an image are left out. */
  lookUp(digests: readonly string[], stopped: Cancellation): Promise<ReadonlyMap<string, readonly number[]>>;

  upload(upload: ImportUpload, stopped: Cancellation): Promise<ImportedImage>;
}

export class ImportError extends Error {
  /** A code of the HTTP contract, or of the client. `image_not_found`: the image of the key was deleted, and another key makes a new one. */
  readonly code: string;
  /** Whether the file is unacceptable, also at another time. */
  readonly isRefusal: boolean;

  constructor(
    message: string,
    { code, isRefusal }: Pick<ImportError, 'code' | 'isRefusal'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.isRefusal = isRefusal;
  }
}
