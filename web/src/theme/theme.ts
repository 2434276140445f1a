import { Store } from '../base/store.ts';

/** `system` follows the device. */
export type ThemeChoice = 'system' | 'light' | 'dark';

/** The part of `localStorage` that is used. */
export interface ThemeStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = 'image-catalog.theme';

/** Light or dark, remembered on the device. */
export class Theme {
  readonly choice: Store<ThemeChoice>;
  readonly #storage: ThemeStorage | undefined;

  /** @param storage is missing if the browser refuses it */
  constructor(storage: ThemeStorage | undefined) {
    this.#storage = storage;
    const saved = storage?.getItem(KEY);
    this.choice = new Store<ThemeChoice>(saved === 'light' || saved === 'dark' ? saved : 'system');
  }

  choose(choice: ThemeChoice): void {
    if (choice === 'system') this.#storage?.removeItem(KEY);
    else this.#storage?.setItem(KEY, choice);
    this.choice.set(choice);
  }
}
