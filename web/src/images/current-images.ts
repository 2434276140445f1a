import type { ImageRecord } from '@image-catalog/client';
import type { Feature } from '../catalog/catalog-features.ts';
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
  readonly #features: ReadonlySet<string>;
  readonly #onHead: (records: readonly ImageRecord[]) => void;
  #key: string | undefined;
  #open: PagedImages | undefined;

  /** @param onHead called with the first pictures of a list before their places are known */
  constructor(
    pages: ImagePages,
    view: Store<ViewState>,
    features: ReadonlySet<string>,
    onHead: (records: readonly ImageRecord[]) => void,
  ) {
    this.#onHead = onHead;
    this.#pages = pages;
    this.#view = view;
    this.#features = features;
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
    const hasTimeline = this.#features.has('timeline' satisfies Feature);
    const options = { query: listQueryOf(view), hasTimeline, onHead: this.#onHead };
    this.#open = new PagedImages(this.#pages, options);
    void this.#open.refresh();
    this.list.set(this.#open);
  }
}
