import { BlobLost } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import type { ImageMetadata } from '../../../domain/image/metadata.ts';
import type { ExportSource, SourceRecord } from '../../../domain/ports/commands/catalog-export.ts';
import type { ImageMetadataStore } from '../../../domain/ports/records/image-metadata-store.ts';
import type { ImageRepository } from '../../../domain/ports/records/image-repository.ts';
import type { ImageSearch } from '../../../domain/ports/records/image-search.ts';
import type { OpenImageFile } from '../../files/open-image-file.ts';
import { searchBatches } from '../../find/search-batches.ts';

const OLDEST_FIRST = { by: 'created', order: 'asc' } as const;

export interface ExportedRecords {
  readonly images: Pick<ImageRepository, 'findById'>;
  readonly search: ImageSearch;
  readonly metadata: Pick<ImageMetadataStore, 'find'>;
}

/** The storage of this machine's configuration, without a service. */
export class StorageExportSource implements ExportSource {
  /** @param view the record and its metadata as clients see them */
  constructor(
    private readonly catalog: ExportedRecords,
    private readonly openImageFile: OpenImageFile,
    private readonly view: (image: CatalogImage, metadata: ImageMetadata) => object,
  ) {}

  async *records(since: Date | undefined): AsyncGenerator<SourceRecord, void, undefined> {
    for await (const batch of searchBatches(this.catalog.search, {
      filter: { createdAfter: since },
      sort: OLDEST_FIRST,
    })) {
      for (const image of batch) {
        const metadata = await this.catalog.metadata.find(image.id);
        // A client has deleted the image meanwhile.
        if (metadata !== undefined) yield { ...(this.view(image, metadata) as SourceRecord) };
      }
    }
  }

  async open({ id }: SourceRecord): Promise<AsyncIterable<Uint8Array> | undefined> {
    const image = await this.catalog.images.findById(id);
    if (image === undefined) return undefined;
    try {
      return (await this.openImageFile.execute(image)).read();
    } catch (error) {
      // Bytes without the digest of the record: the image counts as damaged.
      if (error instanceof BlobLost) return nothing();
      throw error;
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
