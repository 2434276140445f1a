import { deviceStorage } from '../device-storage.ts';
import { Theme } from './theme.ts';

/** The theme of this device; the page follows it. */
export function applyTheme(): Theme {
  const theme = new Theme(deviceStorage());
  const apply = (): void => {
    const choice = theme.choice.get();
    if (choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
  };
  apply();
  theme.choice.subscribe(apply);
  return theme;
}
