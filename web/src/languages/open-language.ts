import { deviceStorage } from '../device-storage.ts';
import { Language } from './language.ts';

/** The language of this device; the page says which it is. */
export function openLanguage(): Language {
  const language = new Language(navigator.languages, deviceStorage());
  language.current.subscribe(() => {
    document.documentElement.lang = language.current.get();
  });
  return language;
}
