import { deviceStorage } from '../base/device-storage.ts';
import { Setting } from '../base/setting.ts';
import type { Theme } from './theme.ts';

/** The theme of this device; the page follows it. */
export function applyTheme(): Theme {
  const theme: Theme = new Setting('theme', ['system', 'light', 'dark'], deviceStorage());
  const apply = (): void => {
    const choice = theme.value.get();
    if (choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
    colourFrame(choice);
  };
  apply();
  theme.value.subscribe(apply);
  return theme;
}

/** The colour of the browser's frame, and of the window if the gallery is installed. */
function colourFrame(choice: string): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme } = meta.dataset;
    if (choice === 'system') meta.media = `(prefers-color-scheme: ${scheme})`;
    // A page on a screen is never printed.
    else meta.media = scheme === choice ? 'all' : 'print';
  }
}
