import { Store } from '../store.ts';

/** A short sentence at the edge of the page, with at most one thing to do. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'error';
  readonly action: { readonly label: string; readonly run: () => void } | undefined;
}

export interface NoticeOptions {
  readonly tone?: Notice['tone'];
  readonly action?: Notice['action'];
  /** Milliseconds; it stays until it is closed if this is `undefined`. */
  readonly lifetimeMs?: number | undefined;
}

const LIFETIME_MS = 6000;

export class Notices {
  readonly shown = new Store<readonly Notice[]>([]);
  #lastId = 0;

  /** @returns a function that removes it */
  show(text: string, options: NoticeOptions = {}): () => void {
    const { tone = 'info', action, lifetimeMs = LIFETIME_MS } = options;
    this.#lastId += 1;
    const id = this.#lastId;
    const close = (): void => this.shown.update((notices) => notices.filter((notice) => notice.id !== id));
    this.shown.update((notices) => [...notices, { id, text, tone, action }]);
    if (lifetimeMs !== undefined) setTimeout(close, lifetimeMs);
    return close;
  }
}
