import { useEffect } from 'react';
import type { Part } from '../base/part.ts';
import { useStore } from '../base/use-store.ts';
import { useTrouble } from '../trouble/use-trouble.ts';

/** @returns `undefined` until it is loaded. As long as it is needed, a failed load is reported and tried again. */
export function usePart<T>(part: Part<T>, isNeeded = true): T | undefined {
  const trouble = useTrouble();
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isOver = false;
    let hasFailed = false;
    const load = async (): Promise<void> => {
      if (isOver) return;
      try {
        await part.load();
        if (hasFailed) trouble.succeeded();
      } catch (error) {
        hasFailed = true;
        if (!isOver) trouble.report(error, { retry: load });
      }
    };
    void load();
    return () => {
      isOver = true;
    };
  }, [part, isNeeded, trouble]);
  return useStore(part.loaded);
}
