import type { ImageCatalog } from '@image-catalog/client';

/** Signed links of pictures, fetched in batches and renewed before they are over. */
export class ImageLinks {
  readonly #catalog: ImageCatalog;

  constructor(catalog: ImageCatalog) {
    this.#catalog = catalog;
  }

  get catalog(): ImageCatalog {
    return this.#catalog;
  }
}
