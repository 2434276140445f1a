import { Store } from '../base/store.ts';
import { formatViewState, parseViewState, type ViewState } from './view-state.ts';

/** The part of `window` that holds the address. */
interface Page {
  readonly location: { readonly search: string };
  readonly history: {
    pushState(data: unknown, unused: string, url: string): void;
    replaceState(data: unknown, unused: string, url: string): void;
  };
  addEventListener(type: 'popstate', listener: () => void): void;
}

/** The view state lives in the query of the address: back and forward work, and a reload shows the same. */
export class AddressBar {
  readonly view: Store<ViewState>;
  readonly #page: Page;

  /** @param page `window` */
  constructor(page: Page) {
    this.#page = page;
    this.view = new Store(parseViewState(page.location.search));
    this.#correct();
    page.addEventListener('popstate', () => {
      this.view.set(parseViewState(page.location.search));
      this.#correct();
    });
  }

  /** A new entry of the history, unless the view stays the same. Leads to the pictures unless the change says otherwise. */
  push(change: Partial<ViewState>): void {
    this.#go(change, (url) => this.#page.history.pushState(null, '', url));
  }

  /** Changes the present entry of the history. */
  replace(change: Partial<ViewState>): void {
    this.#go(change, (url) => this.#page.history.replaceState(null, '', url));
  }

  #go(change: Partial<ViewState>, show: (url: string) => void): void {
    const before = formatViewState(this.view.get());
    // Parsed again, so that no change can lead to a view that the service refuses.
    const next = { ...this.view.get(), page: 'pictures' as const, ...change };
    const view = parseViewState(formatViewState(next));
    const search = formatViewState(view);
    if (search === before) return;
    show(`./${search}`);
    this.view.set(view);
  }

  /** Shows the view that an ill-formed address has led to. */
  #correct(): void {
    const search = formatViewState(this.view.get());
    if (search !== this.#page.location.search) this.#page.history.replaceState(null, '', `./${search}`);
  }
}
