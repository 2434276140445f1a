import type { AddressBar } from '../view-state/address-bar.ts';
import { type ViewState, validWords } from '../view-state/view-state.ts';

/**
 * Words that are searched for while they are typed. The first of them make an entry of the history, which the next
 * ones change: back leads to the view before the search, not to each letter of it.
 */
export class WordSearch {
  readonly #addressBar: AddressBar;
  /** The search of the entry that typing has made; `undefined` if there is none. */
  #typed: string | undefined;

  constructor(addressBar: AddressBar) {
    this.#addressBar = addressBar;
  }

  type(text: string): void {
    const q = validWords(text);
    if (q === this.#addressBar.view.get().q) return;
    this.#show({ q });
    this.#typed = q;
  }

  /** Ends the typing: what is typed next makes another entry. */
  apply(text: string, change: Partial<ViewState> = {}): void {
    this.#show({ ...change, q: validWords(text) });
    this.#typed = undefined;
  }

  #show(change: Partial<ViewState>): void {
    // Back, forward and chips change the view, too.
    const isTyping = this.#typed !== undefined && this.#typed === this.#addressBar.view.get().q;
    if (isTyping) this.#addressBar.replace(change);
    else this.#addressBar.push(change);
  }
}
