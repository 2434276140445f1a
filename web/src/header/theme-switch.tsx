import { useStore } from '../base/use-store.ts';
import { Choice } from '../controls/choice.tsx';
import { texts } from '../languages/texts.ts';
import { useTheme } from '../theme/use-theme.ts';

export function ThemeSwitch(): React.JSX.Element {
  const theme = useTheme();
  const { light, dark, system } = texts.header.themes;
  return (
    <Choice
      name="theme"
      label={texts.header.theme}
      options={{ light, dark, system }}
      chosen={useStore(theme.value)}
      onChoose={(choice) => theme.choose(choice)}
    />
  );
}
