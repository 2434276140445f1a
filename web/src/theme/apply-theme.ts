import { deviceStorage } from '../base/device-storage.ts';
import { Theme, type ThemeChoice } from './theme.ts';

/** The theme of this device; the page follows it. */
export function applyTheme(): Theme {
  const theme = new Theme(deviceStorage());
  const apply = (): void => {
    const choice = theme.choice.get();
    if (choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
    colourFrame(choice);
  };
  apply();
  theme.choice.subscribe(apply);
  return theme;
}

/** The colour of the browser's frame, and of the window if the gallery is installed. */
function colourFrame(choice: ThemeChoice): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme } = meta.dataset;
    if (choice === 'system') meta.media = `(prefers-color-scheme: ${scheme})`;
    // A page on a screen is never printed.
    else meta.media = scheme === choice ? 'all' : 'print';
  }
}
