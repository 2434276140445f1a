import { ImageNotFound } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Trash } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';

export class RestoreImage {
  constructor(private readonly trash: InSpaces<Pick<Trash, 'restore'>>) {}

  /**
   * @param by for the feed of changes
   * @throws {ImageNotFound | StorageUnavailable}
   */
  async execute(space: Space, id: number, by?: string): Promise<CatalogImage> {
    const image = await this.trash.in(space).restore(id, by);
    if (image === undefined) throw new ImageNotFound();
    return image;
  }
}
