import type { Clock } from '../base/clock.ts';
import type { InputFormat } from '../base/media-types.ts';
import type { Store } from '../base/store.ts';

export interface UploadRequest {
  readonly name: string;
  readonly sha256?: string;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly loaded: number }) => void;
}

/** The client of the service, without retries of its own: the queue decides when to try again. */
export interface UploadCatalog {
  upload(file: File, request: UploadRequest): Promise<{ readonly id: number }>;
  lookup(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Any cheap request: rejects as long as the service does not respond. */
  probe(): Promise<void>;
}

/** What the queue uses of the page and the service. */
export interface UploadPorts {
  readonly catalog: UploadCatalog;
  readonly clock: Pick<Clock, 'after'>;
  /** Lower-case hex of the SHA-256; `undefined` if the page has no digests. Rejects if the file cannot be read. */
  readonly digest: (file: File) => Promise<string | undefined>;
  readonly newKey: () => string;
  /** Whether the browser has a network. */
  readonly online: Store<boolean>;
  /** Its kind is `signed-in` while there is a session. */
  readonly session: Store<{ readonly kind: string }>;
  /** Of the largest file that the service takes. */
  readonly maxBytes: number;
  /** What the service takes. */
  readonly inputFormats: readonly InputFormat[];
  /** Called when there are new pictures, at most every few seconds. */
  readonly onUploaded: () => void;
}
