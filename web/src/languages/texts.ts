import { loadPart } from '../base/load-part.ts';
import { english, type Texts } from './english.ts';

export type LanguageCode = 'en' | 'de';

/** Every text of the gallery, in the language in use. It may change: read it where it is shown, not when a file is loaded. */
export let texts: Texts = english;

/** English comes with the first page; each other language is a file of its own. */
const LOADERS: Readonly<Record<LanguageCode, () => Promise<Texts>>> = {
  en: async () => english,
  de: () =>
    loadPart(
      () => import('./german.ts'),
      ({ german }) => german,
    ),
};

/** Rejects if the file of the language cannot be loaded; the texts stay as they are. */
export async function loadTexts(code: LanguageCode): Promise<void> {
  texts = await LOADERS[code]();
}
