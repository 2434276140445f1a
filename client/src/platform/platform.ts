/** A `Blob`, a `File`, or in Node.js also a file that is read each time it is sent. */
export interface UploadSource {
  readonly name?: string;
  /** Bytes. */
  readonly size: number;
  /** Begins at the first byte each time. */
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

export interface UploadProgress {
  /** Bytes of the file. Begins at 0 again if the upload is repeated. */
  readonly loaded: number;
  readonly total: number;
}

export interface UploadRequest<Source> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the form before and after the bytes of the file. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
  readonly source: Source;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What browsers and Node.js do in different ways. */
export interface Platform<Source extends UploadSource> {
  /** Lower-case hex; `undefined` if the platform has no digests, as pages without TLS. */
  sha256(source: Source): Promise<string | undefined>;

  /** Rejects with `networkError`, with the reason of the signal, or with an error of the source. */
  upload(request: UploadRequest<Source>): Promise<Response>;

  /** Replaces the `fetch` of browsers, which bound their memory. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;

  /** Rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

export function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
