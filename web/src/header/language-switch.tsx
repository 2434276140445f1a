import { useStore } from '../base/use-store.ts';
import { Choice } from '../controls/choice.tsx';
import { useLanguage } from '../languages/use-language.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { headerTexts } from './header-texts.ts';

export function LanguageSwitch(): React.JSX.Element {
  const language = useLanguage();
  const trouble = useTrouble();
  const names = Object.entries(language.languages).map(([code, { name }]) => [
    code,
    <span key={code} lang={code}>
      {name}
    </span>,
  ]);
  return (
    <Choice
      name="language"
      label={headerTexts().language}
      options={Object.fromEntries(names)}
      chosen={useStore(language.current)}
      onChoose={(code) => void language.choose(code).catch((error: unknown) => trouble.report(error))}
    />
  );
}
