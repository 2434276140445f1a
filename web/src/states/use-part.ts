import { useEffect } from 'react';
import type { Part } from '../base/part.ts';
import { useStore } from '../base/use-store.ts';
import { useTrouble } from '../trouble/use-trouble.ts';

/**
 * A failed load is reported, and tried again until it succeeds. Even if it is not needed any more: what is shown of it goes then.
 *
 * @returns `undefined` until it is loaded
 */
export function usePart<T>(part: Part<T>, isNeeded = true): T | undefined {
  const trouble = useTrouble();
  useEffect(() => {
    if (!isNeeded) return;
    let hasFailed = false;
    const load = async (): Promise<void> => {
      try {
        await part.load();
        if (hasFailed) trouble.succeeded();
      } catch (error) {
        hasFailed = true;
        trouble.report(error, { retry: load });
      }
    };
    void load();
  }, [part, isNeeded, trouble]);
  return useStore(part.loaded);
}
