import type { ImageCatalog } from '@image-catalog/client';
import type { CurrentImages } from '../images/current-images.ts';
import type { Notices } from '../notices/notices.ts';

/** Deletes after a time in which it can be undone. */
export class Deletions {
  readonly #catalog: ImageCatalog;
  readonly #images: CurrentImages;
  readonly #notices: Notices;

  constructor(catalog: ImageCatalog, images: CurrentImages, notices: Notices) {
    this.#catalog = catalog;
    this.#images = images;
    this.#notices = notices;
  }

  /** Hides the pictures at once and sends the requests when the undo time is over. */
  delete(ids: readonly number[]): void {
    void [this.#catalog, this.#images, this.#notices, ids];
  }

  /** The last deletion that can be undone. */
  undo(): void {}
}
