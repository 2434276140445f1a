import { ImageNotFound } from '../domain/errors.ts';
import type { CatalogImage } from '../domain/image/image.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';

export class GetImage {
  constructor(private readonly images: ImageRepository) {}

  /** @throws {ImageNotFound | StorageUnavailable} */
  async execute(id: number): Promise<CatalogImage> {
    const image = await this.images.findById(id);
    if (image === undefined) throw new ImageNotFound();
    return image;
  }
}
