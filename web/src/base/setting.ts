import { Store } from './store.ts';

/** The part of `localStorage` that is used. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A choice that is remembered on the device. */
export class Setting<T extends string> {
  readonly value: Store<T>;
  readonly #key: string;
  readonly #usual: T;
  readonly #storage: DeviceStorage | undefined;

  /**
   * @param values the first is the usual one, which is not remembered
   * @param storage is missing if the browser refuses it
   */
  constructor(key: string, values: readonly [T, ...T[]], storage: DeviceStorage | undefined) {
    this.#key = `image-catalog.${key}`;
    [this.#usual] = values;
    this.#storage = storage;
    const saved = storage?.getItem(this.#key);
    this.value = new Store<T>(values.find((value) => value === saved) ?? this.#usual);
  }

  choose(value: T): void {
    this.value.set(value);
    try {
      if (value === this.#usual) this.#storage?.removeItem(this.#key);
      else this.#storage?.setItem(this.#key, value);
    } catch {
      // The storage is full: it holds as long as the page.
    }
  }
}
