import { systemClock } from '../base/clock.ts';
import { deviceStorage } from '../base/device-storage.ts';
import { loadPart } from '../base/load-part.ts';
// What the other languages share with the pictures is in the first script: they would bring the pictures, and come too late.
import '../languages/counted-sentences.ts';
import '../languages/formats-of.ts';
import { Language, type Languages } from '../languages/language.ts';
import { statesTexts } from '../states/states-texts.ts';

/** Each with its name in its own words, which those can read who want it. Another language is a folder like `german` and a line here. */
const LANGUAGES = {
  en: { name: 'English', load: async () => ({}) },
  de: {
    name: 'Deutsch',
    load: () =>
      loadPart(
        () => import('./german/german.ts'),
        ({ german }) => german,
      ),
  },
} satisfies Languages;

/** The language of this device; the page says which it is. */
export function openLanguage(): Language {
  const language = new Language(LANGUAGES, navigator.languages, deviceStorage(), systemClock);
  language.current.subscribe(() => {
    document.documentElement.lang = language.current.get();
    // Views with a name of their own put it before.
    document.title = statesTexts().title;
  });
  return language;
}
