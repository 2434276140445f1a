import { CatalogError, type ImageCatalog, type ImageRecord } from '../../../client/src/node.ts';
import type { ExportSource, SourceRecord } from '../../domain/ports/commands/export-source.ts';

const PAGE_SIZE = 200;

/** A running service, over HTTP. Methods reject with `CatalogError`. */
export class ServiceExportSource implements ExportSource {
  constructor(private readonly images: ImageCatalog) {}

  async *records(since: Date | undefined): AsyncGenerator<SourceRecord, void, undefined> {
    const query = { limit: PAGE_SIZE, ...(since !== undefined && { createdAfter: since }) };
    for await (const record of this.images.list(query)) {
      const whole = await this.withMetadata(record);
      if (whole !== undefined) yield whole;
    }
  }

  async open({ id }: SourceRecord): Promise<AsyncIterable<Uint8Array> | undefined> {
    const response = await unlessDeleted(() => this.images.file(id));
    return response && (response.body ?? new Blob([]).stream());
  }

  /** `undefined` if the image was deleted meanwhile. */
  private async withMetadata(record: ImageRecord): Promise<SourceRecord | undefined> {
    const found = await unlessDeleted(() => this.images.metadata(record.id));
    if (found === undefined) return undefined;
    const { etag: _etag, ...metadata } = found;
    return Object.assign({ metadata }, record);
  }
}

async function unlessDeleted<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'image_not_found') return undefined;
    throw error;
  }
}
