import { createElement, useEffect, useState } from 'react';
import type { UploadPanel } from './upload-panel.tsx';

const RETRY_MS = 3000;

/** While the user chooses files. */
export function preloadUploadPanel(): void {
  void import('./upload-panel.tsx').catch(() => undefined);
}

/** `undefined` until its code is there: the service may be unreachable when the first files are chosen. */
export function useUploadPanel(isNeeded: boolean): React.JSX.Element | undefined {
  const [loaded, setLoaded] = useState<{ readonly UploadPanel: typeof UploadPanel }>();
  useEffect(() => {
    if (!isNeeded || loaded !== undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (): void => {
      import('./upload-panel.tsx').then(setLoaded, () => {
        timer = setTimeout(load, RETRY_MS);
      });
    };
    load();
    return () => clearTimeout(timer);
  }, [isNeeded, loaded]);
  return loaded === undefined ? undefined : createElement(loaded.UploadPanel);
}
