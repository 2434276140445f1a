import { useState } from 'react';

const KEY = 'viewer.panel';

/** Whether the panel is open. It is remembered, since people who tag work with it open. */
export function usePanelOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => readSetting() === 'open');
  return [
    isOpen,
    (open) => {
      setOpen(open);
      writeSetting(open ? 'open' : 'closed');
    },
  ];
}

/** The storage can be forbidden in a browser. */
function readSetting(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function writeSetting(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // It is open or closed until the viewer is opened again.
  }
}
