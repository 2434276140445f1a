import { ImageNotFound } from '../../domain/errors.ts';
import type { ImageMetadata } from '../../domain/image/metadata.ts';
import type { ImageMetadataStore } from '../../domain/ports/records/image-metadata-store.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';

export class GetMetadata {
  constructor(private readonly metadata: InSpaces<ImageMetadataStore>) {}

  /** @throws {ImageNotFound | StorageUnavailable} */
  async execute(space: Space, id: number): Promise<ImageMetadata> {
    const found = await this.metadata.in(space).find(id);
    if (found === undefined) throw new ImageNotFound();
    return found;
  }
}
