import { ImageNotFound, MetadataChanged } from '../domain/errors.ts';
import { checkedPatch, type ImageMetadata, type MetadataPatch } from '../domain/image/metadata.ts';
import type { ImageMetadataStore } from '../domain/ports/image-metadata-store.ts';

export class EditMetadata {
  constructor(private readonly metadata: ImageMetadataStore) {}

  /**
   * When it resolves, the change survives a power cut. A missing image and a version that does not match come before a wrong value.
   *
   * @param readPatch called if the image is there and the version matches
   * @throws {ImageNotFound | MetadataChanged | InvalidMetadata | StorageUnavailable}
   */
  async execute(
    id: number,
    readPatch: () => MetadataPatch,
    matches: (version: number) => boolean = () => true,
  ): Promise<ImageMetadata> {
    const found = await this.metadata.find(id);
    if (found === undefined) throw new ImageNotFound();
    if (!matches(found.version)) throw new MetadataChanged();
    const changed = await this.metadata.patch(id, checkedPatch(readPatch()), matches);
    if (changed === undefined) throw new ImageNotFound();
    return changed;
  }
}
