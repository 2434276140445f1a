import type { ImageRecord } from '@image-catalog/client';
import { Store } from '../store.ts';
import { listKeyOf, listQueryOf } from '../view-state/list-query.ts';
import type { ViewState } from '../view-state/view-state.ts';
import type { ImageList } from './image-list.ts';
import type { ImagePages } from './page-reader.ts';
import { PagedImages } from './paged-images.ts';

/** The list of the present view. It is replaced when the filters or the order change. */
export class CurrentImages {
  /** `undefined` until `open`. */
  readonly list = new Store<ImageList | undefined>(undefined);
  readonly #pages: ImagePages;
  readonly #view: Store<ViewState>;
  readonly #onHead: (records: readonly ImageRecord[]) => void;
  #key: string | undefined;
  #open: PagedImages | undefined;

  /** @param onHead called with the first pictures of a list before their places are known */
  constructor(pages: ImagePages, view: Store<ViewState>, onHead: (records: readonly ImageRecord[]) => void) {
    this.#onHead = onHead;
    this.#pages = pages;
    this.#view = view;
  }

  /** Follows the view from now on. Called as soon as a person is signed in. */
  open(): void {
    if (this.#key !== undefined) return;
    this.#view.subscribe(() => this.#follow());
    this.#follow();
  }

  #follow(): void {
    const view = this.#view.get();
    const key = listKeyOf(view);
    if (key === this.#key) return;
    this.#key = key;
    this.#open?.close();
    this.#open = new PagedImages(this.#pages, { query: listQueryOf(view), onHead: this.#onHead });
    void this.#open.refresh();
    this.list.set(this.#open);
  }
}
