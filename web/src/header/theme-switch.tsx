import { useStore } from '../base/store.ts';
import { texts } from '../languages/texts.ts';
import type { ThemeChoice } from '../theme/theme.ts';
import { useTheme } from '../theme/use-theme.ts';

const CHOICES: readonly ThemeChoice[] = ['light', 'dark', 'system'];

export function ThemeSwitch(): React.JSX.Element {
  const theme = useTheme();
  const chosen = useStore(theme.choice);
  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">{texts.header.theme}</legend>
      {CHOICES.map((choice) => (
        <label key={choice} className="theme-choice">
          <input
            type="radio"
            name="theme"
            className="visually-hidden"
            checked={choice === chosen}
            onChange={() => theme.choose(choice)}
          />
          {texts.header.themes[choice]}
        </label>
      ))}
    </fieldset>
  );
}
