import { CatalogError, type ImageCatalog, type ImageRecord } from '../../../client/src/node.ts';
import { FileUnreadable } from '../../domain/ports/commands/import-source.ts';
import {
  ImportError,
  type ImportedImage,
  type ImportTarget,
  type ImportUpload,
} from '../../domain/ports/commands/import-target.ts';
import { requireId, unexpected } from './check-response.ts';

/** A running service, over HTTP. Use a client without retries: `RetryingImportTarget` waits and sends less. */
export class ServiceImportTarget implements ImportTarget {
  constructor(private readonly images: ImageCatalog) {}

  async lookUp(
    digests: readonly string[],
    stopped: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const found: ReadonlyMap<string, unknown> = await this.images.lookup(digests, { signal: stopped });
    const asked = digests.filter((digest) => found.has(digest));
    return new Map(asked.map((digest) => [digest, requireIds(found.get(digest))]));
  }

  async upload(upload: ImportUpload, stopped: AbortSignal): Promise<ImportedImage> {
    const { name, size, sha256, idempotencyKey, metadata, read } = upload;
    const options = { sha256, idempotencyKey, signal: stopped, ...(metadata && { metadata }) };
    try {
      const image: ImageRecord | null = await this.images.upload({ name, size, stream: read }, options);
      return { id: requireId(image?.id) };
    } catch (error) {
      stopped.throwIfAborted();
      if (error instanceof CatalogError || error instanceof FileUnreadable) throw error;
      throw fileChanged(error);
    }
  }
}

function requireIds(ids: unknown): readonly number[] {
  if (!Array.isArray(ids) || ids.length === 0) throw unexpected('a digest without ids');
  return ids.map(requireId);
}

/** The size of the file is not the one that was promised. */
function fileChanged(error: unknown): ImportError {
  const message = error instanceof Error ? error.message : String(error);
  return new ImportError(message, { code: 'file_changed', isRefusal: false }, { cause: error });
}
