import { deviceStorage } from '../base/device-storage.ts';
import { keyContextOf } from './key-context.ts';
import { Shortcuts } from './shortcuts.ts';

export function listenForShortcuts(): Shortcuts {
  const shortcuts = new Shortcuts(deviceStorage());
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (shortcuts.handle(event, keyContextOf(event.target))) event.preventDefault();
  });
  return shortcuts;
}
