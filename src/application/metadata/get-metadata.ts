import { ImageNotFound } from '../../domain/errors.ts';
import type { ImageMetadata } from '../../domain/image/metadata.ts';
import type { ImageMetadataStore } from '../../domain/ports/records/image-metadata-store.ts';

export class GetMetadata {
  constructor(private readonly metadata: ImageMetadataStore) {}

  /** @throws {ImageNotFound | StorageUnavailable} */
  async execute(id: number): Promise<ImageMetadata> {
    const found = await this.metadata.find(id);
    if (found === undefined) throw new ImageNotFound();
    return found;
  }
}
