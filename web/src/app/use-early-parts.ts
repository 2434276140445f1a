import { useEffect } from 'react';
import { loadAllParts } from '../base/part.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { useGrid } from '../grid/use-grid.ts';
import { usePublishedNames } from '../publishing/use-published-names.ts';

/** The pictures in view come first. */
const DELAY_MS = 2000;
const LONGEST_WAIT_MS = 5000;

/**
 * All parts are loaded before they are needed, when nothing else is to be done: later the service may be unreachable. So are the
 * published names, which deletions have to know.
 */
export function useEarlyParts(): void {
  const grid = useGrid();
  const published = usePublishedNames();
  const isReady = useStoreValue(grid.frame, (frame) => frame !== undefined);
  useEffect(() => {
    if (!isReady) return undefined;
    void published.read();
    const timer = setTimeout(() => void loadAllParts(whenIdle), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isReady, published]);
}

/** Safari has no `requestIdleCallback`. */
async function whenIdle(): Promise<void> {
  await new Promise<unknown>((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: LONGEST_WAIT_MS });
    else setTimeout(resolve);
  });
}
