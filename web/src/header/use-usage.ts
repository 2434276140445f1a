import type { Usage } from '@image-catalog/client';
import { useEffect, useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';

/** `undefined` while it is asked for the first time; `unknown` if the service does not say it. */
export type ShownUsage = Usage | 'unknown' | undefined;

/** @param openings of the menu that shows it: each asks again */
export function useUsage(openings: number): ShownUsage {
  const catalog = useCatalog();
  const [usage, setUsage] = useState<ShownUsage>();
  useEffect(() => {
    if (openings === 0) return undefined;
    const abort = new AbortController();
    const show = (shown: ShownUsage): void => {
      if (!abort.signal.aborted) setUsage(shown);
    };
    // The menu does without it.
    catalog.usage({ signal: abort.signal }).then(show, () => show('unknown'));
    return () => abort.abort();
  }, [catalog, openings]);
  return usage;
}
