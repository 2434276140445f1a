/** A window with a history. */
export class FakePage {
  readonly entries: string[];
  #at = 0;
  #onMove: () => void = () => undefined;

  constructor(search = '') {
    this.entries = [search];
  }

  get location(): { search: string } {
    return { search: this.entries[this.#at] ?? '' };
  }

  readonly history = {
    pushState: (_data: unknown, _unused: string, url: string): void => {
      this.entries.splice(this.#at + 1, Number.POSITIVE_INFINITY, url.slice(2));
      this.#at += 1;
    },
    replaceState: (_data: unknown, _unused: string, url: string): void => {
      this.entries[this.#at] = url.slice(2);
    },
  };

  addEventListener(_type: 'popstate', listener: () => void): void {
    this.#onMove = listener;
  }

  back(): void {
    this.#at -= 1;
    this.#onMove();
  }
}
