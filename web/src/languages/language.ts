import { type DeviceStorage, Setting } from '../base/setting.ts';
import { Store } from '../base/store.ts';
import { type LanguageCode, loadTexts } from './texts.ts';

/** The language of the gallery: the first that the browser prefers and the gallery has, unless another was chosen on this device. */
export class Language {
  /** The language of the texts that are loaded. */
  readonly current = new Store<LanguageCode>('en');
  /** Resolves when the texts of the first language are there, or English in their place. */
  readonly ready: Promise<void>;
  readonly #setting: Setting<LanguageCode>;

  /** @param preferred as in `navigator.languages` */
  constructor(preferred: readonly string[], storage: DeviceStorage | undefined) {
    const usual = preferred.map(codeOf).find((code) => code !== undefined) ?? 'en';
    this.#setting = new Setting('language', [usual, 'en', 'de'], storage);
    this.ready = this.#use(this.#setting.value.get()).catch(() => undefined);
  }

  /** Rejects if the texts cannot be loaded; then the language stays. */
  async choose(code: LanguageCode): Promise<void> {
    await this.#use(code);
    this.#setting.choose(code);
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
