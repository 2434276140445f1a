import { BlobLost } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { ImageMetadata } from '../../domain/image/metadata.ts';
import type { ExportSource, SourceRecord } from '../../domain/ports/catalog-export.ts';
import type { ImageMetadataStore } from '../../domain/ports/image-metadata-store.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import type { OpenImageFile } from '../open-image-file.ts';
import { imageBatches } from './image-batches.ts';

/** The storage of this machine's configuration, without a service. */
export class StorageExportSource implements ExportSource {
  /** @param view the record and its metadata as clients see them */
  constructor(
    private readonly images: ImageRepository,
    private readonly metadata: Pick<ImageMetadataStore, 'find'>,
    private readonly openImageFile: OpenImageFile,
    private readonly view: (image: CatalogImage, metadata: ImageMetadata) => object,
  ) {}

  async *records(since: Date | undefined): AsyncGenerator<SourceRecord, void, undefined> {
    for await (const batch of imageBatches(this.images, { createdAfter: since })) {
      for (const image of batch) {
        const metadata = await this.metadata.find(image.id);
        // A client has deleted the image meanwhile.
        if (metadata !== undefined) yield { ...(this.view(image, metadata) as SourceRecord) };
      }
    }
  }

  async open({ id }: SourceRecord): Promise<AsyncIterable<Uint8Array> | undefined> {
    const image = await this.images.findById(id);
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
