import { deviceStorage } from '../base/device-storage.ts';
import { Language } from './language.ts';
import { texts } from './texts.ts';

/** The language of this device; the page says which it is. */
export function openLanguage(): Language {
  const language = new Language(navigator.languages, deviceStorage());
  language.current.subscribe(() => {
    document.documentElement.lang = language.current.get();
    // Views with a name of their own put it before.
    document.title = texts.app.title;
  });
  return language;
}
