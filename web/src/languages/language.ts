import { Store } from '../base/store.ts';
import { type LanguageCode, loadTexts } from './texts.ts';

/** The part of `localStorage` that is used. */
export interface LanguageStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = 'image-catalog.language';

/** The language of the gallery: the first that the browser prefers and the gallery has, unless another was chosen on this device. */
export class Language {
  /** Whose texts are loaded. */
  readonly current: Store<LanguageCode>;
  /** Resolves when the texts of the first language are there, or English in their place. */
  readonly ready: Promise<void>;
  readonly #preferred: LanguageCode;
  readonly #storage: LanguageStorage | undefined;

  /**
   * @param preferred as in `navigator.languages`
   * @param storage is missing if the browser refuses it
   */
  constructor(preferred: readonly string[], storage: LanguageStorage | undefined) {
    this.#storage = storage;
    this.#preferred = preferred.map(codeOf).find((code) => code !== undefined) ?? 'en';
    this.current = new Store<LanguageCode>('en');
    this.ready = this.#use(codeOf(storage?.getItem(KEY) ?? '') ?? this.#preferred).catch(() => undefined);
  }

  /** Rejects if the texts cannot be loaded; then the language stays. */
  async choose(code: LanguageCode): Promise<void> {
    await this.#use(code);
    if (code === this.#preferred) this.#storage?.removeItem(KEY);
    else this.#storage?.setItem(KEY, code);
  }

  async #use(code: LanguageCode): Promise<void> {
    await loadTexts(code);
    this.current.set(code);
  }
}

/** @param tag as in de-AT */
function codeOf(tag: string): LanguageCode | undefined {
  const [code = ''] = tag.toLowerCase().split('-');
  return code === 'en' || code === 'de' ? code : undefined;
}
