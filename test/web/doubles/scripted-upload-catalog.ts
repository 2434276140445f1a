import { CatalogError } from '@image-catalog/client';
import type { UploadCatalog, UploadRequest } from '../../../web/src/upload/upload-ports.ts';

/** An upload that waits for the test. */
export class PendingUpload {
  readonly response: Promise<{ readonly id: number }>;
  succeed!: (id: number) => void;
  fail!: (error: Error) => void;

  constructor(
    readonly file: File,
    readonly request: UploadRequest,
  ) {
    this.response = new Promise((resolve, reject) => {
      this.succeed = (id) => resolve({ id });
      this.fail = reject;
    });
    request.signal.addEventListener('abort', () => this.fail(request.signal.reason as Error));
  }

  get isAborted(): boolean {
    return this.request.signal.aborted;
  }
}

/** Remembers requests; responds when the test says so, or at once with `respond`. */
export class ScriptedUploadCatalog implements UploadCatalog {
  readonly uploads: PendingUpload[] = [];
  readonly lookups: (readonly string[])[] = [];
  readonly known = new Map<string, readonly number[]>();
  probes = 0;
  /** Called for each upload. */
  respond: (upload: PendingUpload) => void = () => {};
  respondToLookup: () => void = () => {};
  respondToProbe: () => void = () => {};

  upload(file: File, request: UploadRequest): Promise<{ readonly id: number }> {
    const upload = new PendingUpload(file, request);
    this.uploads.push(upload);
    this.respond(upload);
    return upload.response;
  }

  async lookup(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    this.lookups.push(digests);
    this.respondToLookup();
    return new Map(
      digests.flatMap((digest) => {
        const ids = this.known.get(digest);
        return ids === undefined ? [] : [[digest, ids] as const];
      }),
    );
  }

  async probe(): Promise<void> {
    this.probes += 1;
    this.respondToProbe();
  }
}

export function refused(
  status: number,
  code: string,
  facts: { retryAfterMs?: number; scope?: string } = {},
): CatalogError {
  return new CatalogError(code, { status, code, ...facts });
}

export function networkLost(): CatalogError {
  return new CatalogError('The service cannot be reached', { status: 0, code: 'network_error' });
}
