import { parseTags } from '../domain/image/metadata.ts';
import type { TagChanges } from '../domain/image/tags.ts';
import type { ImageMetadataStore, TaggedImages } from '../domain/ports/image-metadata-store.ts';

export class TagImages {
  constructor(private readonly metadata: ImageMetadataStore) {}

  /**
   * Changes all images or none; removals come first.
   *
   * @throws {InvalidMetadata | StorageUnavailable}
   */
  async execute(ids: readonly number[], { add, remove }: TagChanges): Promise<TaggedImages> {
    const changes = { add: parseTags(add, 'addTags'), remove: parseTags(remove, 'removeTags') };
    return await this.metadata.changeTags(ids, changes);
  }
}
