import type { Clock } from '../base/clock.ts';
import { type DeviceStorage, Setting } from '../base/setting.ts';
import { Store } from '../base/store.ts';
import { setTexts, type Translation } from './texts.ts';

/** By code, as in de. English, whose texts come with the rooms, is one of them. */
export type Languages = Readonly<
  Record<string, { readonly name: string; readonly load: () => Promise<Translation> }>
>;

/** Texts that take longer are awaited in English. */
const LONGEST_WAIT_MS = 3000;

/** The language of the gallery: the first that the browser prefers and the gallery has, unless another was chosen on this device. */
export class Language {
  /** The code of the language whose texts are loaded. */
  readonly current = new Store('en');
  /** Resolves when the texts of the first language are there, or English in their place; they may follow later. */
  readonly ready: Promise<void>;
  readonly languages: Languages;
  readonly #setting: Setting<string>;
  /** The code of the language that was asked for last. */
  #wanted = 'en';

  /** @param preferred as in `navigator.languages` */
  constructor(
    languages: Languages,
    preferred: readonly string[],
    storage: DeviceStorage | undefined,
    clock: Clock,
  ) {
    this.languages = languages;
    const usual = preferred.map(codeOf).find((code) => Object.hasOwn(languages, code)) ?? 'en';
    this.#setting = new Setting('language', [usual, ...Object.keys(languages)], storage);
    this.ready = Promise.race([
      this.#use(this.#setting.value.get()).catch(() => undefined),
      new Promise<void>((resolve) => clock.after(LONGEST_WAIT_MS, resolve)),
    ]);
  }

  /** Rejects if the texts cannot be loaded; then the language stays. */
  async choose(code: string): Promise<void> {
    await this.#use(code);
    if (this.#wanted === code) this.#setting.choose(code);
  }

  async #use(code: string): Promise<void> {
    this.#wanted = code;
    const translation = (await this.languages[code]?.load()) ?? {};
    // Another one was chosen meanwhile.
    if (this.#wanted !== code) return;
    setTexts(translation);
    this.current.set(code);
  }
}

/** @param tag as in de-AT */
function codeOf(tag: string): string {
  return tag.toLowerCase().replace(/-.*/, '');
}
