import { useStore } from '../base/use-store.ts';
import { Choice } from '../controls/choice.tsx';
import { type LanguageCode, texts } from '../languages/texts.ts';
import { useLanguage } from '../languages/use-language.ts';
import { useTrouble } from '../states/use-trouble.ts';

/** In their own words, which those can read who want them. */
const NAMES = { en: 'English', de: 'Deutsch' } as const satisfies Record<LanguageCode, string>;

export function LanguageSwitch(): React.JSX.Element {
  const language = useLanguage();
  const trouble = useTrouble();
  return (
    <Choice
      name="language"
      label={texts.header.language}
      options={{ en: <span lang="en">{NAMES.en}</span>, de: <span lang="de">{NAMES.de}</span> }}
      chosen={useStore(language.current)}
      onChoose={(code) => void language.choose(code).catch((error: unknown) => trouble.report(error))}
    />
  );
}
