import { useStore } from '../base/store.ts';
import { type LanguageCode, texts } from '../languages/texts.ts';
import { useLanguage } from '../languages/use-language.ts';
import { useTrouble } from '../states/use-trouble.ts';

/** In their own words, which those can read who want them. */
const NAMES = { en: 'English', de: 'Deutsch' } as const satisfies Record<LanguageCode, string>;

export function LanguageSwitch(): React.JSX.Element {
  const language = useLanguage();
  const trouble = useTrouble();
  const chosen = useStore(language.current);
  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">{texts.header.language}</legend>
      {(Object.keys(NAMES) as LanguageCode[]).map((code) => (
        <label key={code} className="theme-choice" lang={code}>
          <input
            type="radio"
            name="language"
            className="visually-hidden"
            checked={code === chosen}
            onChange={() => void language.choose(code).catch((error: unknown) => trouble.report(error))}
          />
          {NAMES[code]}
        </label>
      ))}
    </fieldset>
  );
}
