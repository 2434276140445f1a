import type { ListQuery } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import { listKeyOf } from '../view-state/list-key-of.ts';
import { listQueryOf } from '../view-state/list-query.ts';
import type { ViewState } from '../view-state/view-state.ts';
import type { ImageList } from './image-list.ts';
import type { ImagePages } from './page-reader.ts';
import { PagedImages, type PagedImagesOptions } from './paged-images.ts';
import { UndatedLast } from './undated-last.ts';

/** The list of the present view. It is replaced when the filters or the order change. */
export class CurrentImages {
  /** `undefined` until `open`. */
  readonly list = new Store<ImageList | undefined>(undefined);
  /** Of the feed of changes, before the first list was read. */
  readonly changesCursor = new Store<string | undefined>(undefined);
  readonly #pages: ImagePages;
  readonly #view: Store<ViewState>;
  readonly #options: Omit<PagedImagesOptions, 'query'>;
  #key: string | undefined;
  #open: PagedImages | undefined;

  constructor(pages: ImagePages, view: Store<ViewState>, options: Omit<PagedImagesOptions, 'query'> = {}) {
    this.#options = options;
    this.#pages = pages;
    this.#view = view;
  }

  /** Follows the view from now on. Called as soon as a person is signed in. */
  open(): void {
    if (this.#key !== undefined) return;
    this.#view.subscribe(() => this.#follow());
    this.#follow();
  }

  /** Ends what is under way, which may hang, and asks for the list again. */
  readonly reopen = (): void => {
    this.#key = undefined;
    this.#follow();
  };

  #follow(): void {
    const view = this.#view.get();
    const key = listKeyOf(view);
    if (key === this.#key) return;
    this.#key = key;
    this.#open?.close();
    const query = listQueryOf(view);
    this.#open = new PagedImages(hasMonths(query) ? new UndatedLast(this.#pages) : this.#pages, {
      ...this.#options,
      query,
      onHead: (head) => {
        this.changesCursor.update((first) => first ?? head.changesCursor);
        this.#options.onHead?.(head);
      },
    });
    void this.#open.refresh();
    this.list.set(this.#open);
  }
}

/** Filters by the capture time leave one of both alone. */
function hasMonths({ sort, takenAfter, takenBefore, dated }: ListQuery): boolean {
  return sort === 'taken' && takenAfter === undefined && takenBefore === undefined && dated === undefined;
}
