import { Store } from '../store.ts';
import { formatViewState, parseViewState, type ViewState } from './view-state.ts';

/** The view state lives in the query of the address: back and forward work, and a reload shows the same. */
export class AddressBar {
  readonly view: Store<ViewState>;

  constructor() {
    this.view = new Store(parseViewState(location.search));
    window.addEventListener('popstate', () => this.view.set(parseViewState(location.search)));
  }

  /** A new entry of the history. */
  push(change: Partial<ViewState>): void {
    this.#go(change, (url) => history.pushState(null, '', url));
  }

  /** Changes the present entry of the history. */
  replace(change: Partial<ViewState>): void {
    this.#go(change, (url) => history.replaceState(null, '', url));
  }

  #go(change: Partial<ViewState>, show: (url: string) => void): void {
    const view = { ...this.view.get(), ...change };
    show(`./${formatViewState(view)}`);
    this.view.set(view);
  }
}
