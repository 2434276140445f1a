import type { ImageCatalog } from '@image-catalog/client';
import type { CurrentImages } from '../images/current-images.ts';
import { Store } from '../store.ts';

/** Of all uploads since the page was opened. */
export interface UploadSummary {
  readonly waiting: number;
  readonly uploaded: number;
  /** 0 to 1, of the bytes. */
  readonly progress: number;
}

/** The queue of uploads. */
export class Uploads {
  readonly summary = new Store<UploadSummary>({ waiting: 0, uploaded: 0, progress: 0 });
  readonly #catalog: ImageCatalog;
  readonly #images: CurrentImages;

  constructor(catalog: ImageCatalog, images: CurrentImages) {
    this.#catalog = catalog;
    this.#images = images;
  }

  add(files: Iterable<File>): void {
    void [this.#catalog, this.#images, files];
  }
}
