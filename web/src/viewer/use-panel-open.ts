import { useState } from 'react';
import { deviceStorage } from '../base/device-storage.ts';
import { Setting } from '../base/setting.ts';
import { useStore } from '../base/use-store.ts';

/** Whether the panel is open. It is remembered, since people who tag work with it open. */
export function usePanelOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [setting] = useState(() => new Setting('panel', ['closed', 'open'], deviceStorage()));
  const isOpen = useStore(setting.value) === 'open';
  return [isOpen, (open) => setting.choose(open ? 'open' : 'closed')];
}
