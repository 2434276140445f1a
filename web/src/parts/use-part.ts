import { useEffect } from 'react';
import { usePage } from '../contexts/page.ts';
import { useStore } from '../store.ts';
import type { Part } from './part.ts';

/** @returns `undefined` until it is loaded. As long as it is needed, a failed load is reported and tried again. */
export function usePart<T>(part: Part<T>, isNeeded = true): T | undefined {
  const { trouble } = usePage();
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
