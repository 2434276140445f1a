import { createElement, useEffect, useState } from 'react';
import type { UploadPanel } from './upload-panel.tsx';

const RETRY_MS = 2000;
/** The first pictures come first. */
const PRELOAD_MS = 5000;

/** `undefined` until its code is there. It is loaded early: the service may be unreachable when it is needed. */
export function useUploadPanel(isNeeded: boolean): React.JSX.Element | undefined {
  const [loaded, setLoaded] = useState<{ readonly UploadPanel: typeof UploadPanel }>();
  useEffect(() => {
    if (loaded !== undefined) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const load = (): void => {
      void import('./upload-panel.tsx').then(setLoaded, () => {
        timer = setTimeout(load, RETRY_MS);
      });
    };
    timer = setTimeout(load, isNeeded ? 0 : PRELOAD_MS);
    return () => clearTimeout(timer);
  }, [isNeeded, loaded]);
  return loaded === undefined ? undefined : createElement(loaded.UploadPanel);
}
