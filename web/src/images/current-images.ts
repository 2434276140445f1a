import type { ImageCatalog } from '@image-catalog/client';
import { Store } from '../store.ts';
import type { ViewState } from '../view-state/view-state.ts';
import type { ImageList } from './image-list.ts';

/** The list of the present view. It is replaced when the filters or the order change. */
export class CurrentImages {
  /** `undefined` until the view is known. */
  readonly list = new Store<ImageList | undefined>(undefined);
  readonly #catalog: ImageCatalog;

  constructor(catalog: ImageCatalog, view: Store<ViewState>) {
    this.#catalog = catalog;
    view.subscribe(() => this.#follow(view.get()));
  }

  #follow(_view: ViewState): void {
    void this.#catalog;
  }
}
