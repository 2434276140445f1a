import { useEffect } from 'react';

/** The screen stays on. The browser ends it when the page is hidden. */
export function useWakeLock(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    return () => void lock?.then((held) => held?.release());
  }, [isNeeded]);
}
