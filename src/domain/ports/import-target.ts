import type { Cancellation } from './cancellation.ts';

/** What people say about an image: `title`, `description`, `tags`, `takenAt`. Fields are passed on as they are. */
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
  /** Begins at the first byte each time. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Methods reject with `ImportError`, and with errors of `upload.read`. */
export interface ImportTarget {
  /** Ids by lower-case digest; digests without an image are left out. */
  lookUp(digests: readonly string[], stopped: Cancellation): Promise<ReadonlyMap<string, readonly number[]>>;

  /** Resolves to the id of the image. */
  upload(upload: ImportUpload, stopped: Cancellation): Promise<number>;
}

export type ImportErrorReason =
  /** The file is not acceptable, also at another time. */
  | 'refused'
  /** Too many requests at this moment. */
  | 'busy'
  /** Another upload holds the key. */
  | 'key_in_use'
  /** The image of the key was deleted: another key makes a new one. */
  | 'key_spent'
  /** Not reachable, or without its storage. */
  | 'unavailable'
  /** No upload of this client is accepted. */
  | 'denied'
  | 'failed';

export interface ImportErrorFacts {
  readonly reason: ImportErrorReason;
  /** Of the HTTP contract, or of the client. */
  readonly code: string;
  readonly retryAfterMs?: number | undefined;
}

export class ImportError extends Error {
  readonly reason: ImportErrorReason;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { reason, code, retryAfterMs }: ImportErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
