import {
  CatalogError,
  type ImageCatalog,
  type ImageRecord,
  type PageQuery,
} from '../../../client/src/node.ts';
import type { ExportFilter, ExportSource, SourceRecord } from '../../domain/ports/commands/export-source.ts';
import { requireRecord, unexpected } from './check-response.ts';

const PAGE_SIZE = 200;

/** A running service, over HTTP. Methods reject with `CatalogError`. */
export class ServiceExportSource implements ExportSource {
  constructor(private readonly images: ImageCatalog) {}

  async *records({ since, createdBy }: ExportFilter): AsyncGenerator<SourceRecord, void, undefined> {
    const query = {
      limit: PAGE_SIZE,
      ...(since !== undefined && { createdAfter: since }),
      ...(createdBy !== undefined && { createdBy }),
    };
    let last = 0;
    for await (const record of this.list(query)) {
      const { id } = requireRecord(record);
      if (id <= last) throw unexpected('images in another order than that of their ids');
      last = id;
      const whole = await this.withMetadata(record);
      if (whole !== undefined) yield whole;
    }
  }

  /** Not with `list` of the client, which follows the links of a service for ever. */
  private async *list(query: PageQuery): AsyncGenerator<ImageRecord, void, undefined> {
    let after: string | undefined;
    do {
      const page = await this.images.page({ ...query, ...(after !== undefined && { after }) });
      if (!Array.isArray(page.records)) throw unexpected('a page that is no list');
      yield* page.records;
      if (page.next !== undefined && page.next === after) throw unexpected('the same page twice');
      after = page.next;
    } while (after !== undefined);
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
    return requireRecord({ metadata, ...record });
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
