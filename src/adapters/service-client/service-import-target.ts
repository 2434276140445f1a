import { z } from 'zod';
import { CatalogError, type ImageCatalog } from '../../../client/src/node.ts';
import { FileUnreadable } from '../../domain/ports/import-source.ts';
import {
  ImportError,
  type ImportErrorReason,
  type ImportTarget,
  type ImportUpload,
} from '../../domain/ports/import-target.ts';

/** The part of an OpenAPI document that declares the field. */
const UploadOperation = z.object({
  paths: z.object({
    '/api/upload': z.object({
      post: z.object({
        requestBody: z.object({
          content: z.object({
            'multipart/form-data': z.object({
              schema: z.object({ properties: z.object({ metadata: z.unknown() }) }),
            }),
          }),
        }),
      }),
    }),
  }),
});

/** A running service, over HTTP. Use a client without retries: the caller waits and sends less. */
export class ServiceImportTarget implements ImportTarget {
  constructor(private readonly images: ImageCatalog) {}

  async lookUp(
    digests: readonly string[],
    stopped: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    return await translating(() => this.images.lookup(digests, { signal: stopped }), stopped);
  }

  /** Whether an upload may have a field `metadata`. Rejects with `ImportError`. */
  async takesMetadata(): Promise<boolean> {
    try {
      return UploadOperation.safeParse(await this.images.openapi()).success;
    } catch (error) {
      // A service that does not describe itself is older than the metadata.
      if (error instanceof CatalogError && error.code === 'not_found') return false;
      throw translated(error);
    }
  }

  async upload(upload: ImportUpload, stopped: AbortSignal): Promise<number> {
    const { name, size, sha256, idempotencyKey, metadata, read } = upload;
    const options = { sha256, idempotencyKey, signal: stopped, ...(metadata && { metadata }) };
    const { id } = await translating(
      () => this.images.upload({ name, size, stream: read }, options),
      stopped,
    );
    return id;
  }
}

async function translating<T>(call: () => Promise<T>, stopped: AbortSignal): Promise<T> {
  try {
    return await call();
  } catch (error) {
    stopped.throwIfAborted();
    throw translated(error);
  }
}

function translated(error: unknown): Error {
  if (error instanceof CatalogError) return importError(error);
  if (error instanceof ImportError || error instanceof FileUnreadable) return error;
  // The size of the file is not the one that was promised.
  const message = error instanceof Error ? error.message : String(error);
  return new ImportError(message, { reason: 'failed', code: 'file_changed' }, { cause: error });
}

function importError(error: CatalogError): ImportError {
  const { message, code, retryAfterMs } = error;
  return new ImportError(message, { reason: reasonOf(error), code, retryAfterMs }, { cause: error });
}

function reasonOf({ status, code, retryAfterMs }: CatalogError): ImportErrorReason {
  if (code === 'overloaded' || status === 429) return 'busy';
  if (code === 'idempotency_key_in_use') return 'key_in_use';
  if (code === 'image_not_found') return 'key_spent';
  if (code === 'network_error' || [408, 502, 503, 504].includes(status)) return 'unavailable';
  if (status === 401 || status === 403) return retryAfterMs === undefined ? 'denied' : 'unavailable';
  // The file has changed since it was hashed.
  if (code === 'digest_mismatch') return 'failed';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}
