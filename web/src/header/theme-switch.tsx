import { useStore } from '../base/use-store.ts';
import { Choice } from '../controls/choice.tsx';
import { useTheme } from '../theme/use-theme.ts';
import { headerTexts } from './header-texts.ts';

export function ThemeSwitch(): React.JSX.Element {
  const theme = useTheme();
  const { light, dark, system } = headerTexts().themes;
  return (
    <Choice
      name="theme"
      label={headerTexts().theme}
      options={{ light, dark, system }}
      chosen={useStore(theme.value)}
      onChoose={(choice) => theme.choose(choice)}
    />
  );
}
